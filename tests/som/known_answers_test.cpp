// Runs whose results others published: the reference rings, the shuffled table, iris, the batch case.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/table.hpp"
#include "device/opencl.hpp"
#include "som/som_fixture.hpp"
#include "store/hdf5.hpp"

namespace atl::som {
namespace {

using config::MapTopology;

Codebook codebook_from(const store::ReadFile& file, const std::string& path) {
  const auto values = file.doubles(path);
  return {static_cast<std::int32_t>(file.shape(path).front()), values};
}

/// Smallest largest difference over the 2N rotations and reflections of a ring.
double aligned_difference(const std::vector<double>& a, const std::vector<double>& b, int neurons) {
  const std::size_t m = a.size() / static_cast<std::size_t>(neurons);
  double best = INFINITY;
  for (int turn = 0; turn < neurons; ++turn)
    for (const int direction : {1, -1}) {
      double worst = 0;
      for (int j = 0; j < neurons; ++j)
        for (std::size_t c = 0; c < m; ++c) {
          const int k = ((turn + direction * j) % neurons + neurons) % neurons;
          worst = std::max(worst, std::abs(a[j * m + c] - b[k * m + c]));
        }
      best = std::min(best, worst);
    }
  return best;
}

class ReferenceRing : public testing::TestWithParam<Variant> {};

TEST_P(ReferenceRing, WeightsAndAssignmentsAgreeTo1e9InFileOrder) {
  const store::ReadFile file(std::string(TEST_DATA) + "ring_sequential.h5");
  ScaledData data = random_points(2000, 3, 1);
  data.values = file.doubles("/data");
  TrainerInputs inputs = inputs_for(data);
  inputs.training.order = config::SampleOrder::sequential;
  inputs.training.initial = config::MapInitial::file;
  inputs.variant = GetParam();
  const std::vector<int> sizes = {2, 3, 4, 5, 7, 10, 16, 33};
  std::vector<MapSetting> maps;
  for (const int n : sizes) {
    maps.push_back(line_of(MapTopology::ring, n, 5, 1, 149));
    maps.back().codebook = static_cast<std::int32_t>(inputs.codebooks.size());
    inputs.codebooks.push_back(codebook_from(file, "/N" + std::to_string(n) + "/init"));
  }

  const auto trained = train_all(inputs, maps);

  for (std::size_t i = 0; i < maps.size(); ++i) {
    const std::string group = "/N" + std::to_string(sizes[i]);
    const auto expected = file.doubles(group + "/weights");
    EXPECT_LT(aligned_difference(trained[i].weights, expected, sizes[i]), 1e-9) << group;
    EXPECT_NEAR(trained[i].measures.quantization_error, file.number_attribute(group, "quantization_error"), 1e-9)
        << group;
    if (sizes[i] == 10) continue;  // lands on another rotation with any change of rounding
    expect_near(trained[i].weights, expected, 1e-9, group);
    const auto winners = file.integers(group + "/assignments");
    EXPECT_TRUE(
        std::equal(winners.begin(), winners.end(), trained[i].assignments.begin(), trained[i].assignments.end()))
        << group;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ReferenceRing, testing::Values(Variant::automatic, Variant::vectors, Variant::team));

TEST(KnownAnswers, ShuffledRunsOfTheTableThroughAnOrderFile) {
  constexpr int points = 2000;
  constexpr int epochs = 149;
  TrainerInputs inputs = inputs_for(random_points(points, 3, 12345));
  inputs.training.sigma_decay = inputs.training.eta_decay = config::Decay::linear;
  inputs.training.order = config::SampleOrder::file;
  inputs.training.initial = config::MapInitial::file;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::vector<std::int32_t> order(points);
    std::iota(order.begin(), order.end(), 0);
    Splitmix stream{2000 + static_cast<std::uint64_t>(epoch)};
    for (int i = points - 1; i > 0; --i) std::swap(order[i], order[stream.next() % static_cast<std::uint64_t>(i + 1)]);
    inputs.orders.insert(inputs.orders.end(), order.begin(), order.end());
  }
  struct Row {
    int neurons;
    double quantization_error, topographic_error;
  };
  const std::vector<Row> table = {{1, 0.488129829089, 0},      {2, 0.418458988248, 0},
                                  {4, 0.324525859195, 0.29},   {8, 0.239987759707, 0.319},
                                  {16, 0.190125446714, 0.396}, {64, 0.112405873889, 0.4915},
                                  {256, 0.062597314228, 0.378}};
  std::vector<MapSetting> maps;
  for (const Row& row : table) {
    maps.push_back(line_of(MapTopology::ring, row.neurons, 5, 1, epochs));
    maps.back().codebook = static_cast<std::int32_t>(inputs.codebooks.size());
    inputs.codebooks.push_back(
        {row.neurons, random_points(static_cast<std::size_t>(row.neurons), 3, 1000 + row.neurons).values});
  }

  const auto trained = train_all(inputs, maps);

  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_NEAR(trained[i].measures.quantization_error, table[i].quantization_error, 1e-9) << table[i].neurons;
    EXPECT_NEAR(trained[i].measures.topographic_error, table[i].topographic_error, 1e-12) << table[i].neurons;
  }
  std::vector<std::int64_t> hits = trained[1].hits;
  std::ranges::sort(hits);
  EXPECT_EQ(hits, (std::vector<std::int64_t>{997, 1003}));
}

/// Iris, each column scaled to 0..1; start weight k is row floor(150 k / neurons).
TrainerInputs iris_inputs(int neurons) {
  const data::Table table = data::read_table(std::string(TEST_DATA) + "iris.csv", {}, {});
  TrainerInputs inputs = inputs_for(scale(table,
                                          [] {
                                            config::SomData data;
                                            data.scale = config::Scaling::minmax;
                                            return data;
                                          }(),
                                          {}));
  inputs.training.sigma_decay = inputs.training.eta_decay = config::Decay::asymptotic;
  inputs.training.order = config::SampleOrder::sequential;
  inputs.training.initial = config::MapInitial::file;
  Codebook codebook{neurons, {}};
  for (int k = 0; k < neurons; ++k)
    for (std::size_t c = 0; c < 4; ++c)
      codebook.values.push_back(inputs.data.values[static_cast<std::size_t>(150 * k / neurons) * 4 + c]);
  inputs.codebooks.push_back(codebook);
  return inputs;
}

TEST(KnownAnswers, IrisWithDecayPerStep) {
  TrainerInputs inputs = iris_inputs(49);
  inputs.training.decay_per = config::DecayPer::step;
  MapSetting map = grid_of(MapTopology::rectangular, 7, 7, 1, 0.5, 10);
  map.codebook = 0;

  const auto trained = train_all(inputs, {map});

  EXPECT_NEAR(trained[0].measures.quantization_error, 0.0643868694, 1e-8);
  EXPECT_NEAR(trained[0].measures.topographic_error_8, 0.1266666667, 1e-8);
}

TEST(KnownAnswers, IrisWithDecayPerEpoch) {
  TrainerInputs inputs = iris_inputs(49);
  MapSetting map = grid_of(MapTopology::rectangular, 7, 7, 3, 0.5, 10);
  map.codebook = 0;

  const auto trained = train_all(inputs, {map});

  EXPECT_NEAR(trained[0].measures.quantization_error, 0.1095651911, 1e-8);
  EXPECT_NEAR(trained[0].measures.topographic_error_8, 0.0466666667, 1e-8);
}

TEST(KnownAnswers, IrisOnALine) {
  TrainerInputs inputs = iris_inputs(10);
  MapSetting map = line_of(MapTopology::line, 10, 3, 0.5, 20);
  map.codebook = 0;

  const auto trained = train_all(inputs, {map});

  EXPECT_NEAR(trained[0].measures.quantization_error, 0.1658594078, 1e-8);
  EXPECT_NEAR(trained[0].measures.topographic_error_8, 0.0, 1e-8);
}

TEST(KnownAnswers, OurOwnShufflingReachesThePublishedMeanErrors) {
  const store::ReadFile file(std::string(TEST_DATA) + "ring_sequential.h5");
  ScaledData data = random_points(2000, 3, 1);
  data.values = file.doubles("/data");
  TrainerInputs inputs = inputs_for(data, config::Precision::real32);
  inputs.training.initial = config::MapInitial::uniform;
  inputs.training.uniform_low = -0.5;
  inputs.training.uniform_high = 0.5;
  constexpr int replicates = 40;
  const std::vector<std::pair<int, double>> published = {{2, 0.41211}, {5, 0.29508}, {10, 0.22525}, {33, 0.14550}};
  std::vector<MapSetting> maps;
  for (const auto& [neurons, error] : published)
    for (int r = 0; r < replicates; ++r) {
      maps.push_back(line_of(MapTopology::ring, neurons, 5, 1, 149));
      maps.back().replicate = r;
    }

  const auto trained = train_all(inputs, maps);

  for (std::size_t i = 0; i < published.size(); ++i) {
    double mean = 0;
    for (int r = 0; r < replicates; ++r) mean += trained[i * replicates + r].measures.quantization_error / replicates;
    EXPECT_NEAR(mean / published[i].second, 1.0, 0.003) << "N = " << published[i].first;
  }
}

TEST(KnownAnswers, BatchReachesItsFixedPointInOneEpoch) {
  TrainerInputs inputs = inputs_for(points_of({{.1, .2}, {.3, .4}}));
  inputs.training.training = config::Training::batch;
  inputs.training.sigma_decay = inputs.training.eta_decay = config::Decay::linear_to;
  inputs.training.sigma_end = 0.5;
  inputs.training.eta_end = 1;
  inputs.training.initial = config::MapInitial::file;
  inputs.codebooks.push_back({4, {0, 0, .1, .2, .3, .4, 1, 1}});
  MapSetting once = grid_of(MapTopology::rectangular, 2, 2, 0.5, 1, 1);
  once.codebook = 0;
  MapSetting often = once;
  often.epochs = 10;

  const auto trained = train_all(inputs, {once, often});

  const std::vector<double> expected = {.2, .3, .1035972420, .2035972420, .2964027580, .3964027580, .2, .3};
  expect_near(trained[0].weights, expected, 1e-9, "1 epoch");
  expect_near(trained[1].weights, expected, 1e-9, "10 epochs");
}

TEST(KnownAnswers, AFoldedLineIsWrongWhereARingIsRight) {
  TrainerInputs inputs = inputs_for(points_of({{.4}}));
  inputs.training.initial = config::MapInitial::file;
  inputs.codebooks.push_back({4, {0, 5, 9, 1}});
  MapSetting line = line_of(MapTopology::line, 4, 1, 0, 1);  // eta 0 keeps the weights
  line.codebook = 0;
  MapSetting ring = line;
  ring.topology = MapTopology::ring;

  const auto trained = train_all(inputs, {line, ring});

  EXPECT_EQ(trained[0].measures.topographic_error, 1);
  EXPECT_EQ(trained[1].measures.topographic_error, 0);
  EXPECT_NEAR(trained[0].measures.kaski_lagus_error, 17.4, 1e-12);
  EXPECT_NEAR(trained[1].measures.kaski_lagus_error, 1.4, 1e-12);
}

}  // namespace
}  // namespace atl::som
