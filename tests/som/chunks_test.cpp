// Points beyond the memory of the device: brought to it in parts, they give the same bits.
#include <atomic>
#include <cmath>
#include <memory>

#include "device/opencl.hpp"
#include "som/device_points.hpp"
#include "som/som_fixture.hpp"

namespace atl::som {
namespace {

using config::MapTopology;
using config::Precision;
using config::SampleOrder;

constexpr std::size_t points = 700;      // three chunks of 256 points and less
constexpr std::size_t few_bytes = 4096;  // a launch of tens of steps, so that launches begin and end anywhere

std::vector<MapSetting> maps_of(int epochs) {
  std::vector<MapSetting> maps = {line_of(MapTopology::line, 5, 2, 0.5, epochs),
                                  line_of(MapTopology::ring, 33, 5, 0.5, epochs),
                                  grid_of(MapTopology::rectangular, 5, 7, 2, 0.5, epochs),
                                  grid_of(MapTopology::hexagonal_toroid, 4, 5, 1, 0.5, epochs)};
  for (int replicate = 1; replicate < 4; ++replicate) {
    maps.push_back(maps[1]);
    maps.back().replicate = replicate;
  }
  return maps;
}

ScaledData with_gaps(ScaledData data) {
  Splitmix stream{5};
  for (double& v : data.values)
    if (stream.uniform() < 0.2) v = NAN;
  data.missing = true;
  return data;
}

void expect_parts_give_the_same_bits(TrainerInputs inputs, const std::vector<MapSetting>& maps,
                                     const std::string& what) {
  for (const Precision precision : {Precision::real32, Precision::real64}) {
    inputs.precision = precision;
    inputs.point_bytes = SIZE_MAX;
    const auto whole = train_all(inputs, maps);
    inputs.point_bytes = few_bytes;
    ASSERT_LT(points_on_device(test_device().info, inputs), inputs.data.rows) << what;

    const auto in_parts = train_all(inputs, maps);

    for (std::size_t i = 0; i < maps.size(); ++i)
      expect_same_bits(
          in_parts[i], whole[i],
          what + (precision == Precision::real32 ? ", single, map " : ", double, map ") + std::to_string(i));
  }
}

// Small enough to run under Oclgrind, which has the kernels of GPUs run.
TEST(TinyMapsInParts, KeepTheBits) {
  TrainerInputs inputs = inputs_for(random_points(260, 2, 30));
  const std::vector<MapSetting> maps = {line_of(MapTopology::ring, 3, 2, 0.5, 1),
                                        grid_of(MapTopology::hexagonal, 2, 3, 1, 0.5, 1)};
  for (const Variant variant : {Variant::automatic, Variant::group}) {
    inputs.variant = variant;
    expect_parts_give_the_same_bits(inputs, maps, "tiny");
  }
  inputs.training.training = config::Training::batch;
  expect_parts_give_the_same_bits(inputs, maps, "tiny batch");
}

class InParts : public testing::TestWithParam<Variant> {};

TEST_P(InParts, ShuffledOrdersKeepTheBits) {
  TrainerInputs inputs = inputs_for(random_points(300, 3, 31));
  inputs.variant = GetParam();
  expect_parts_give_the_same_bits(inputs, maps_of(2), "shuffled");
}

TEST_P(InParts, DecayByTheStepKeepsTheBits) {
  TrainerInputs inputs = inputs_for(random_points(300, 2, 32));
  inputs.variant = GetParam();
  inputs.training.decay_per = config::DecayPer::step;
  expect_parts_give_the_same_bits(inputs, maps_of(2), "by the step");
}

INSTANTIATE_TEST_SUITE_P(Variants, InParts,
                         testing::Values(Variant::registers, Variant::vectors, Variant::team, Variant::group));

TEST(Chunks, SharedOrdersKeepTheBits) {
  TrainerInputs inputs = inputs_for(random_points(points, 3, 34));
  inputs.training.order = SampleOrder::sequential;
  expect_parts_give_the_same_bits(inputs, maps_of(2), "sequential");

  inputs.training.order = SampleOrder::file;
  for (int epoch = 0; epoch < 2; ++epoch)
    for (std::size_t i = 0; i < points; ++i)
      inputs.orders.push_back(static_cast<std::int32_t>((i * (epoch == 0 ? 37 : 101)) % points));
  expect_parts_give_the_same_bits(inputs, maps_of(2), "order file");
}

TEST(Chunks, MissingCellsKeepTheBits) {
  expect_parts_give_the_same_bits(inputs_for(with_gaps(random_points(points, 3, 33))), maps_of(2), "missing cells");
}

TEST(Chunks, BatchTrainingKeepsTheBits) {
  TrainerInputs inputs = inputs_for(random_points(points, 3, 35));
  inputs.training.training = config::Training::batch;
  expect_parts_give_the_same_bits(inputs, maps_of(4), "batch");

  inputs.data = with_gaps(inputs.data);
  expect_parts_give_the_same_bits(inputs, maps_of(4), "batch with missing cells");
}

TEST(Chunks, PathsThatAreNoDirectEdgesKeepTheBits) {
  TrainerInputs inputs = inputs_for(random_points(points, 3, 36));
  inputs.training.distance = config::MapDistance::cosine;
  expect_parts_give_the_same_bits(inputs, maps_of(1), "cosine");
}

TEST(Chunks, ManyColumnsKeepTheBits) {
  TrainerInputs inputs = inputs_for(random_points(300, 130, 37));  // a point of all maps fills the bytes
  expect_parts_give_the_same_bits(inputs, maps_of(1), "many columns");
}

TEST(Chunks, ADeviceWithLittleMemoryTrainsTheSameMaps) {
  TrainerInputs inputs = inputs_for(random_points(50000, 3, 38));
  const std::vector<MapSetting> maps = {line_of(MapTopology::ring, 12, 2, 0.5, 1),
                                        grid_of(MapTopology::rectangular, 3, 4, 2, 0.5, 1)};
  device::Device small = test_device();
  small.allocated = std::make_shared<std::atomic<std::size_t>>(0);  // what other tests hold is not its own
  small.info.global_memory = 2 << 20;
  small.info.largest_buffer = 1 << 19;
  for (const auto training : {config::Training::online, config::Training::batch}) {
    inputs.training.training = training;
    const auto whole = train_all(inputs, maps);

    std::vector<TrainedMap> in_parts(maps.size());
    Trainer trainer(small, inputs);
    const bool done = trainer.train(maps, [&](std::size_t i, TrainedMap&& map) { in_parts.at(i) = std::move(map); });

    EXPECT_TRUE(done);
    for (std::size_t i = 0; i < maps.size(); ++i) expect_same_bits(in_parts[i], whole[i], "map " + std::to_string(i));
  }
}

TEST(Chunks, PointsStayOnTheDeviceWhereTheyFit) {
  device::DeviceInfo info;
  info.has_double = true;
  info.global_memory = std::size_t{1} << 30;
  info.largest_buffer = std::size_t{1} << 28;
  TrainerInputs inputs = inputs_for({});
  inputs.data.names = {"x", "y"};

  inputs.data.rows = std::size_t{1} << 24;  // 2^28 bytes
  EXPECT_TRUE(points_stay(info, inputs));
  EXPECT_EQ(points_on_device(info, inputs), inputs.data.rows);
  EXPECT_EQ(note_of_points(info, inputs), "");
  inputs.data.rows += 1;  // a buffer would be too large
  EXPECT_FALSE(points_stay(info, inputs));
  const std::size_t part = points_on_device(info, inputs);
  EXPECT_LT(part, inputs.data.rows);
  EXPECT_EQ(part % 256, 0U);
  EXPECT_NE(note_of_points(info, inputs).find("the points take 512 MiB to train on and to measure with"),
            std::string::npos);
  inputs.data.rows = 1000;
  info.largest_buffer = 100000;
  EXPECT_TRUE(points_stay(info, inputs));
  inputs.orders.resize(30 * inputs.data.rows);  // an order file larger than a buffer
  EXPECT_FALSE(points_stay(info, inputs));
  EXPECT_NE(note_of_points(info, inputs).find("the points and the order file take"), std::string::npos);
}

TEST(Chunks, MorePointsThanKernelsCanNumberAreRefusedWithTheNumbers) {
  TrainerInputs inputs = inputs_for(random_points(1, 1, 39));
  inputs.data.rows = std::size_t{1} << 31;
  try {
    const Trainer trainer(test_device(), inputs);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    EXPECT_STREQ(error.what(), "2147483648 points are too many; a map takes at most 2147483647");
  }
}

}  // namespace
}  // namespace atl::som
