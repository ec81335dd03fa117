#include "som/sweep_inputs.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "scratch.hpp"
#include "store/hdf5.hpp"

namespace atl::som {
namespace {

using test::ScratchFolder;

ScaledData points(std::size_t rows, std::size_t columns) {
  ScaledData data;
  data.rows = rows;
  for (std::size_t c = 0; c < columns; ++c) data.names.push_back(std::to_string(c));
  data.offset.assign(columns, 0);
  data.scale.assign(columns, 1);
  data.values.assign(rows * columns, 0);
  return data;
}

Plan plan_of(std::vector<std::int64_t> neurons, std::int64_t epochs = 2) {
  config::SweepSettings sweep;
  sweep.neurons = std::move(neurons);
  sweep.epochs = {epochs};
  sweep.replicates = 2;
  return make_plan(sweep);
}

config::SomTraining initial_from(const std::string& path) {
  config::SomTraining training;
  training.initial = config::MapInitial::file;
  training.initial_file = path;
  return training;
}

config::SomTraining order_from(const std::string& path) {
  config::SomTraining training;
  training.order = config::SampleOrder::file;
  training.order_file = path;
  return training;
}

template <typename Write>
std::string write_h5(const ScratchFolder& folder, Write write) {
  store::MemoryFile file;
  write(file);
  std::string path = folder / "in.h5";
  store::write_atomically(path, file.bytes());
  return path;
}

TEST(Codebooks, OneDatasetServesEveryMapOfItsSize) {
  const ScratchFolder folder;
  const std::vector<double> values = {1000, 2000, 3, 4, 5, 6};  // kept as they are, whatever their size
  const std::string path = write_h5(folder, [&](auto& file) { file.write("/w", std::span(values), {3, 2}); });
  ScaledData data = points(4, 2);
  data.offset = {10, 0};
  data.scale = {2, 1};
  Plan plan = plan_of({3});

  const auto codebooks = read_codebooks(initial_from(path + ":/w"), data, plan);

  ASSERT_EQ(codebooks.size(), 1U);
  EXPECT_EQ(codebooks[0].values, (std::vector<double>{495, 2000, -3.5, 4, -2.5, 6}));
  EXPECT_EQ(plan.maps[0].codebook, 0);
  EXPECT_EQ(plan.maps[1].codebook, 0);
}

TEST(Codebooks, AGroupGivesEachSizeItsOwn) {
  const ScratchFolder folder;
  const std::vector<double> values = {1, 2, 3, 4, 5};
  const std::vector<std::int64_t> offset = {0, 2, 5};
  const std::string path = write_h5(folder, [&](auto& file) {
    file.write("/weights/values", std::span(values), {5, 1});
    file.write("/weights/offset", std::span(offset), {3});
  });
  Plan plan = plan_of({3, 2});

  const auto codebooks = read_codebooks(initial_from(path + ":/weights"), points(4, 1), plan);

  ASSERT_EQ(codebooks.size(), 2U);
  EXPECT_EQ(codebooks[static_cast<std::size_t>(plan.maps[0].codebook)].values, (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(codebooks[static_cast<std::size_t>(plan.maps[2].codebook)].values, (std::vector<double>{1, 2}));
}

TEST(Codebooks, AWrongShapeIsRefusedWithBothShapes) {
  const ScratchFolder folder;
  const std::vector<double> values = {1, 2, 3, 4, 5, 6};
  const std::string path = write_h5(folder, [&](auto& file) { file.write("/w", std::span(values), {3, 2}); });
  Plan four = plan_of({4});
  Plan three = plan_of({3});

  const std::string size =
      test::message_of([&] { (void)read_codebooks(initial_from(path + ":/w"), points(4, 2), four); });
  const std::string width =
      test::message_of([&] { (void)read_codebooks(initial_from(path + ":/w"), points(4, 5), three); });

  EXPECT_NE(size.find("is 3 x 2, but the maps of 4 neurons need 4 x 2"), std::string::npos) << size;
  EXPECT_NE(width.find("is 3 x 2, but the points have 5 columns"), std::string::npos) << width;
}

TEST(Codebooks, AValueThatIsNotFiniteIsRefusedWithItsPlace) {
  const ScratchFolder folder;
  const std::vector<double> values = {1, 2, 3, std::numeric_limits<double>::quiet_NaN()};
  const std::string path = write_h5(folder, [&](auto& file) { file.write("/w", std::span(values), {2, 2}); });
  Plan plan = plan_of({2});

  const std::string message =
      test::message_of([&] { (void)read_codebooks(initial_from(path + ":/w"), points(4, 2), plan); });

  EXPECT_NE(message.find("neuron 1, column 1 is nan"), std::string::npos) << message;
}

TEST(Orders, AreCutToTheLongestTraining) {
  const ScratchFolder folder;
  const std::vector<std::int64_t> values = {0, 1, 2, 2, 1, 0, 1, 0, 2};
  const std::string path = write_h5(folder, [&](auto& file) { file.write("/o", std::span(values), {3, 3}); });

  const auto orders = read_orders(order_from(path + ":/o"), points(3, 1), plan_of({2}));

  EXPECT_EQ(orders, (std::vector<std::int32_t>{0, 1, 2, 2, 1, 0}));
}

TEST(Orders, RowsThatAreNoPermutationsAreRefused) {
  const ScratchFolder folder;
  const std::vector<std::int64_t> twice = {0, 1, 2, 2, 2, 0};
  const std::vector<std::int64_t> from_one = {0, 1, 2, 1, 2, 3};
  const std::string path = write_h5(folder, [&](auto& file) {
    file.write("/twice", std::span(twice), {2, 3});
    file.write("/from_one", std::span(from_one), {2, 3});
  });
  const auto refusal = [&](const std::string& dataset, std::int64_t epochs) {
    return test::message_of(
        [&] { (void)read_orders(order_from(path + ":" + dataset), points(3, 1), plan_of({2}, epochs)); });
  };

  EXPECT_NE(refusal("/twice", 2).find("row 1 names point 2 twice"), std::string::npos) << refusal("/twice", 2);
  EXPECT_NE(refusal("/from_one", 2).find("row 1, entry 2 is 3; points are numbered 0 to 2"), std::string::npos);
  EXPECT_NE(refusal("/twice", 3).find("is 2 x 3, but 3 epochs of 3 points need 3 x 3"), std::string::npos);
}

}  // namespace
}  // namespace atl::som
