// Every kind of training on the device against the plain reference, and the promises that hold for all of them.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "device/opencl.hpp"
#include "som/map_shape.hpp"
#include "som/som_fixture.hpp"
#include "som/som_reference.hpp"
#include "som/streams.hpp"

namespace atl::som {
namespace {

using config::Decay;
using config::MapDistance;
using config::MapTopology;
using config::Neighborhood;

constexpr double close = 1e-9;

const std::vector<Variant> every_variant = {Variant::registers, Variant::vectors, Variant::team, Variant::group};

std::vector<MapSetting> one_of_each_topology(double sigma, int epochs) {
  return {line_of(MapTopology::line, 31, sigma, 0.5, epochs),
          line_of(MapTopology::ring, 33, sigma, 0.5, epochs),
          grid_of(MapTopology::rectangular, 5, 7, sigma, 0.5, epochs),
          grid_of(MapTopology::hexagonal, 7, 5, sigma, 0.5, epochs),
          grid_of(MapTopology::rectangular_toroid, 5, 6, sigma, 0.5, epochs),
          grid_of(MapTopology::hexagonal_toroid, 6, 5, sigma, 0.5, epochs)};
}

/// Trains by every variant and compares with the reference.
void compare(TrainerInputs inputs, const std::vector<MapSetting>& maps, double tolerance, const std::string& what,
             const std::vector<Variant>& variants = every_variant) {
  std::vector<TrainedMap> expected;
  expected.reserve(maps.size());
  for (const MapSetting& map : maps) expected.push_back(reference_map(map, inputs));
  for (const Variant variant : variants) {
    inputs.variant = variant;
    const auto trained = train_all(inputs, maps);
    for (std::size_t i = 0; i < maps.size(); ++i) {
      const std::string label = what + ", variant " + std::to_string(static_cast<int>(variant)) + ", topology " +
                                config::name_of(maps[i].topology) + " of " + std::to_string(maps[i].neurons());
      expect_near(trained[i].weights, expected[i].weights, tolerance, label);
      EXPECT_EQ(trained[i].assignments, expected[i].assignments) << label;
      EXPECT_EQ(trained[i].hits, expected[i].hits) << label;
      expect_near(trained[i].measures, expected[i].measures, tolerance, label);
    }
  }
}

TEST(Training, EveryTopologyAgreesWithTheReference) {
  compare(inputs_for(random_points(300, 3, 7)), one_of_each_topology(2.5, 4), close, "topologies");
}

// Small enough to run under Oclgrind, one kernel family at a time.
class TinyMaps : public testing::TestWithParam<Variant> {};

TEST_P(TinyMaps, AgreeWithTheReference) {
  compare(inputs_for(random_points(13, 2, 6)),
          {line_of(MapTopology::ring, 11, 2, 0.5, 2), grid_of(MapTopology::hexagonal, 3, 4, 1, 0.5, 2)}, close, "tiny",
          {GetParam()});
}

INSTANTIATE_TEST_SUITE_P(Variants, TinyMaps,
                         testing::Values(Variant::registers, Variant::vectors, Variant::team, Variant::group));

TEST(TinyBatchMaps, AgreeWithTheReference) {
  TrainerInputs inputs = inputs_for(random_points(13, 2, 6));
  inputs.training.training = config::Training::batch;
  compare(inputs, {line_of(MapTopology::ring, 11, 2, 0.5, 2), grid_of(MapTopology::hexagonal, 3, 4, 1, 0.5, 2)}, close,
          "tiny batch", {Variant::automatic});
}

TEST(Training, EveryDecayAgreesWithTheReference) {
  for (const Decay decay : {Decay::linear, Decay::linear_open, Decay::linear_to_zero, Decay::linear_to,
                            Decay::exponential, Decay::asymptotic, Decay::inverse}) {
    TrainerInputs inputs = inputs_for(random_points(100, 2, 8));
    inputs.training.sigma_decay = decay;
    inputs.training.eta_decay = decay;
    inputs.training.sigma_end = 0.2;
    inputs.training.eta_end = 0.01;

    compare(inputs,
            {line_of(MapTopology::ring, 12, 3, 0.7, 5), line_of(MapTopology::line, 9, 2, 0.3, 1),
             grid_of(MapTopology::rectangular, 3, 4, 1.5, 0.4, 5)},
            close, config::name_of(decay));
  }
}

TEST(Training, EveryNeighborhoodAgreesWithTheReference) {
  for (const Neighborhood kind :
       {Neighborhood::gaussian, Neighborhood::bubble, Neighborhood::triangle, Neighborhood::mexican_hat}) {
    TrainerInputs inputs = inputs_for(random_points(100, 2, 9));
    inputs.training.neighborhood = kind;

    compare(inputs,
            {line_of(MapTopology::ring, 40, 3, 0.3, 3), line_of(MapTopology::line, 5, 2, 0.3, 3),
             grid_of(MapTopology::hexagonal, 5, 4, 2, 0.3, 3)},
            close, config::name_of(kind));
  }
}

TEST(Training, EveryDistanceAgreesWithTheReference) {
  for (const MapDistance distance :
       {MapDistance::euclidean, MapDistance::manhattan, MapDistance::chebyshev, MapDistance::cosine}) {
    TrainerInputs inputs = inputs_for(random_points(150, 4, 10));
    inputs.training.distance = distance;

    compare(inputs, {line_of(MapTopology::ring, 20, 3, 0.5, 3), grid_of(MapTopology::rectangular, 4, 6, 2, 0.5, 3)},
            close, config::name_of(distance));
  }
}

TEST(Training, EveryDistanceAgreesWithTheReferenceInBatch) {
  for (const MapDistance distance : {MapDistance::euclidean, MapDistance::chebyshev, MapDistance::cosine}) {
    TrainerInputs inputs = inputs_for(random_points(150, 3, 11));
    inputs.training.training = config::Training::batch;
    inputs.training.distance = distance;

    compare(inputs, one_of_each_topology(2, 4), close, config::name_of(distance), {Variant::automatic});
  }
}

TEST(Training, DecayByTheStepAgreesWithTheReference) {
  TrainerInputs inputs = inputs_for(random_points(120, 2, 12));
  inputs.training.decay_per = config::DecayPer::step;
  inputs.training.sigma_decay = Decay::exponential;
  inputs.training.sigma_end = 0.1;

  compare(inputs, one_of_each_topology(2.5, 3), close, "per step");
}

TEST(Training, MissingCellsTakeNoPart) {
  ScaledData data = random_points(200, 3, 13);
  Splitmix stream{5};
  for (double& v : data.values)
    if (stream.uniform() < 0.2) v = NAN;
  for (std::size_t c = 0; c < 3; ++c) data.values[51 + c] = NAN;  // row 17
  data.missing = true;
  for (const auto training : {config::Training::online, config::Training::batch}) {
    TrainerInputs inputs = inputs_for(data);
    inputs.training.training = training;

    compare(inputs, {line_of(MapTopology::ring, 7, 2, 0.5, 3), grid_of(MapTopology::hexagonal, 4, 5, 2, 0.5, 3)}, close,
            "missing cells", {Variant::automatic});
  }
}

TEST(Training, LargeGridsAgreeWithTheReference) {
  compare(
      inputs_for(random_points(200, 2, 14)),
      {grid_of(MapTopology::rectangular, 17, 19, 3, 0.5, 2), grid_of(MapTopology::hexagonal_toroid, 18, 17, 2, 0.5, 2),
       grid_of(MapTopology::rectangular_toroid, 40, 9, 1, 0.5, 2), line_of(MapTopology::ring, 700, 4, 0.5, 2),
       line_of(MapTopology::line, 300, 1, 0.5, 2)},
      close, "large", {Variant::automatic});
}

TEST(Training, ManyColumnsAgreeWithTheReference) {
  compare(inputs_for(random_points(60, 130, 15)),
          {line_of(MapTopology::ring, 9, 2, 0.5, 2), grid_of(MapTopology::rectangular, 5, 5, 2, 0.5, 2)}, close,
          "columns", {Variant::automatic});
}

TEST(Training, ManyMapsInOneLaunchAgreeWithTheReference) {
  std::vector<MapSetting> maps;
  for (int n = 2; n <= 32; ++n)
    for (int r = 0; r < 33; ++r) {
      maps.push_back(line_of(MapTopology::ring, n, 5, 1, 1));
      maps.back().replicate = r;
    }
  compare(inputs_for(random_points(20, 3, 22)), maps, close, "many", {Variant::automatic, Variant::team});
}

TEST(Training, TiesInOneMapLeaveItsNeighborsInALaunchAlone) {
  // Every other map has all neurons on one place, where a wide bubble keeps them: each of its steps is a tie.
  TrainerInputs inputs = inputs_for(random_points(40, 3, 23));
  inputs.training.neighborhood = Neighborhood::bubble;
  inputs.training.initial = config::MapInitial::file;
  std::vector<MapSetting> maps;
  Splitmix stream{24};
  for (int n = 2; n <= 32; ++n) {
    Codebook book{n, {}};
    for (int i = 0; i < 3 * n; ++i) book.values.push_back(n % 2 == 0 ? 0.5 : stream.uniform());
    inputs.codebooks.push_back(std::move(book));
    maps.push_back(line_of(MapTopology::ring, n, n % 2 == 0 ? 1000 : 1, 0.5, 2));
    maps.back().codebook = n - 2;
  }
  compare(inputs, maps, close, "ties");
  inputs.precision = config::Precision::real32;
  for (MapSetting& map : maps) map.epochs = 1;
  compare(inputs, maps, 2e-4, "ties in single", {Variant::registers, Variant::team});
}

TEST(Training, AGridOfTenThousandNeuronsAgreesWithTheReference) {
  compare(inputs_for(random_points(8, 2, 25)), {grid_of(MapTopology::hexagonal, 100, 100, 5, 0.5, 2)}, close, "grid",
          {Variant::automatic});
}

TEST(Training, AThousandColumnsAgreeWithTheReference) {
  for (const auto training : {config::Training::online, config::Training::batch}) {
    TrainerInputs inputs = inputs_for(random_points(40, 1000, 26));
    inputs.training.training = training;

    compare(inputs, {line_of(MapTopology::ring, 20, 2, 0.5, 2), grid_of(MapTopology::rectangular, 5, 6, 2, 0.5, 2)},
            close, "a thousand columns", {Variant::automatic});
  }
}

TEST(Training, SinglePrecisionFollowsDouble) {
  // Few epochs: rounding has no time to choose another of the equal orders of a map.
  compare(inputs_for(random_points(300, 3, 16), config::Precision::real32), {line_of(MapTopology::line, 31, 3, 0.5, 1)},
          2e-4, "single");
}

TEST(Training, EveryInitialKindIsWhatItSays) {
  const ScaledData data = random_points(50, 3, 17);
  TrainerInputs inputs = inputs_for(data);
  MapSetting map = grid_of(MapTopology::rectangular, 3, 5, 1, 0, 1);  // eta 0 keeps the start weights

  inputs.training.initial = config::MapInitial::sample;
  const auto sampled = train_all(inputs, {map})[0];
  inputs.training.initial = config::MapInitial::uniform;
  inputs.training.uniform_low = -3;
  inputs.training.uniform_high = -2;
  const auto uniform = train_all(inputs, {map})[0];

  std::set<std::vector<double>> chosen;
  for (int j = 0; j < 15; ++j) {
    const auto at = sampled.weights.begin() + static_cast<std::ptrdiff_t>(j) * 3;
    const std::vector<double> w(at, at + 3);
    bool is_point = false;
    for (std::size_t r = 0; r < 50; ++r)
      is_point = is_point || std::equal(w.begin(), w.end(), data.values.begin() + static_cast<std::ptrdiff_t>(r * 3));
    EXPECT_TRUE(is_point) << j;
    chosen.insert(w);
  }
  EXPECT_EQ(chosen.size(), 15U);  // distinct points
  for (const double w : uniform.weights) EXPECT_TRUE(w >= -3 && w < -2) << w;
}

TEST(Training, PrincipalComponentsSpanTheMap) {
  // Points on a long diagonal with a short second direction: the components are known.
  ScaledData data = points_of({{-3, -3}, {3, 3}, {-1, 1}, {1, -1}});
  TrainerInputs inputs = inputs_for(data);
  inputs.training.initial = config::MapInitial::pca;

  const auto trained = train_all(inputs, {grid_of(MapTopology::rectangular, 2, 3, 1, 0, 1)})[0];

  const double a = std::sqrt(9.0) / std::sqrt(2.0);  // eigenvalue 9 along (1, 1) / sqrt(2)
  const double b = std::sqrt(1.0) / std::sqrt(2.0);  // eigenvalue 1 along (1, -1) / sqrt(2)
  const std::vector<double> expected = {-a - b, -a + b, -b, b, a - b, a + b, -a + b, -a - b, b, -b, a + b, a - b};
  expect_near(trained.weights, expected, 1e-12, "pca");
}

TEST(Training, AnyCutOfASweepGivesTheSameBits) {
  TrainerInputs inputs = inputs_for(random_points(150, 3, 18), config::Precision::real32);
  std::vector<MapSetting> maps;
  for (int n = 2; n <= 40; n += 3) maps.push_back(line_of(MapTopology::ring, n, 5, 1, 12));
  const auto whole = train_all(inputs, maps);

  for (std::size_t i = 0; i < maps.size(); i += 4) {
    const auto alone = train_all(inputs, {maps[i]});
    expect_same_bits(alone[0], whole[i], std::to_string(maps[i].neurons()));
  }
  const auto again = train_all(inputs, maps);
  for (std::size_t i = 0; i < maps.size(); ++i) expect_same_bits(again[i], whole[i], "again");
}

TEST(Training, SeedAndReplicateMakeDifferentMaps) {
  TrainerInputs inputs = inputs_for(random_points(100, 3, 19));
  MapSetting first = line_of(MapTopology::ring, 6, 2, 0.5, 3);
  MapSetting second = first;
  second.replicate = 1;

  const auto trained = train_all(inputs, {first, second});
  inputs.seed = 2;
  const auto other_seed = train_all(inputs, {first});

  EXPECT_NE(trained[0].weights, trained[1].weights);
  EXPECT_NE(trained[0].weights, other_seed[0].weights);
}

TEST(Training, AStopBetweenLaunchesDropsWhatIsNotFinished) {
  TrainerInputs inputs = inputs_for(random_points(500, 3, 20));
  Trainer trainer(test_device(), inputs);
  int finished = 0;

  const std::vector<MapSetting> maps = {line_of(MapTopology::ring, 6, 2, 0.5, 50)};
  const bool done = trainer.train(
      maps, [&](std::size_t, TrainedMap&&) { ++finished; }, [] { return true; });

  EXPECT_FALSE(done);
  EXPECT_EQ(finished, 0);
}

TEST(Training, OnePointOneColumnOrMoreNeuronsThanPointsTrain) {
  const auto one_point = train_all(inputs_for(points_of({{1, 2}})), {line_of(MapTopology::ring, 4, 2, 0.5, 3)});
  const auto one_column = train_all(inputs_for(random_points(9, 1, 3)), {line_of(MapTopology::line, 4, 2, 0.5, 3)});
  const auto crowded = train_all(inputs_for(random_points(3, 2, 3)), {line_of(MapTopology::ring, 8, 2, 0.5, 3)});
  const auto single = train_all(inputs_for(random_points(400, 2, 3)), {line_of(MapTopology::ring, 1, 2, 0.05, 50)});

  const auto sum = [](const TrainedMap& map) {
    std::int64_t hits = 0;
    for (const auto h : map.hits) hits += h;
    for (const double w : map.weights) EXPECT_TRUE(std::isfinite(w));
    return hits;
  };
  EXPECT_EQ(sum(one_point[0]), 1);
  EXPECT_EQ(sum(one_column[0]), 9);
  EXPECT_EQ(sum(crowded[0]), 3);
  EXPECT_EQ(sum(single[0]), 400);
  EXPECT_EQ(single[0].measures.topographic_error, 0);
  EXPECT_NEAR(single[0].weights[0], 0.5, 0.05);  // near the mean
}

TEST(Training, OneEpochOfAnyDecayStaysFinite) {
  for (const Decay decay : {Decay::linear, Decay::linear_open, Decay::linear_to_zero, Decay::linear_to,
                            Decay::exponential, Decay::asymptotic, Decay::inverse})
    for (const double sigma : {1.0, 0.0}) {
      if (decay == Decay::exponential && sigma == 0) continue;  // refused before training
      TrainerInputs inputs = inputs_for(points_of({{0, 0}, {1, 0}, {0, 1}, {1, 1}, {.5, .5}}));
      inputs.training.sigma_decay = inputs.training.eta_decay = decay;
      inputs.training.sigma_end = inputs.training.eta_end = 0.01;

      const auto trained = train_all(inputs, {grid_of(MapTopology::rectangular, 2, 2, sigma, 0.5, 1)});

      for (const double w : trained[0].weights) EXPECT_TRUE(std::isfinite(w)) << config::name_of(decay);
    }
}

TEST(Training, ShiftedDataKeepTheWinnersOfABruteForceInDouble) {
  // Centred by the caller; single precision holds the rest.
  for (const auto precision : {config::Precision::real32, config::Precision::real64}) {
    data::Table table;
    table.names = {"a", "b", "c"};
    table.rows = 500;
    Splitmix stream{21};
    const double shift = precision == config::Precision::real32 ? 1e4 : 1e9;
    for (int i = 0; i < 1500; ++i) table.values.push_back(shift + stream.uniform());
    TrainerInputs inputs = inputs_for(scale(table, {}, {}), precision);

    const auto trained = train_all(inputs, {line_of(MapTopology::ring, 20, 5, 1, 30)})[0];

    int wrong = 0;
    for (std::size_t r = 0; r < 500; ++r) {
      int best = 0;
      double smallest = INFINITY;
      for (int j = 0; j < 20; ++j) {
        const double d = reference_distance(MapDistance::euclidean, &inputs.data.values[r * 3],
                                            &trained.weights[static_cast<std::size_t>(j) * 3], 3);
        if (d < smallest) best = j;
        smallest = std::min(smallest, d);
      }
      wrong += trained.assignments[r] != best ? 1 : 0;
    }
    EXPECT_EQ(wrong, 0) << shift;
    EXPECT_LT(trained.measures.quantization_error, 0.3);
  }
}

TEST(Training, APointOnANeuronIsAtDistanceZeroExactly) {
  for (const auto precision : {config::Precision::real32, config::Precision::real64})
    for (const MapDistance distance : {MapDistance::euclidean, MapDistance::manhattan, MapDistance::chebyshev}) {
      TrainerInputs inputs = inputs_for(random_points(20, 3, 29), precision);
      for (double& v : inputs.data.values) v = static_cast<float>(1e4 + v);
      inputs.training.distance = distance;
      inputs.training.initial = config::MapInitial::file;
      inputs.codebooks.push_back({20, inputs.data.values});
      MapSetting map = line_of(MapTopology::line, 20, 1, 0, 1);  // eta 0 keeps the weights
      map.codebook = 0;

      const auto trained = train_all(inputs, {map})[0];

      for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(trained.assignments[i], static_cast<std::int32_t>(i));
      EXPECT_EQ(trained.measures.quantization_error, 0) << config::name_of(distance);
      EXPECT_EQ(trained.measures.mean_squared_error, 0) << config::name_of(distance);
    }
}

TEST(Training, AHexagonalMapHasSixNeighborsAtOne) {
  for (int row = 1; row < 10; ++row)
    for (int column = 1; column < 6; ++column) {
      int neighbors = 0;
      for (int j = 0; j < 77; ++j)
        neighbors += map_distance2(MapTopology::hexagonal, 11, 7, row * 7 + column, j) == 1.0 ? 1 : 0;
      EXPECT_EQ(neighbors, 6);
      EXPECT_EQ(map_neighbors(MapTopology::hexagonal, 11, 7, row * 7 + column).size(), 6U);
    }
}

TEST(Training, AnEpochVisitsEachPointOnceInANewOrder) {
  for (const std::uint32_t n : {1U, 2U, 3U, 5U, 31U, 1025U}) {
    std::set<std::vector<std::uint32_t>> orders;
    for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
      std::vector<std::uint32_t> order = epoch_order(1, 42, epoch, n);
      orders.insert(order);
      std::ranges::sort(order);
      for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(order[i], i) << n;
    }
    if (n > 30) {
      EXPECT_EQ(orders.size(), 20U);
    }
  }
}

TEST(Training, EveryOrderOfAFewPointsIsAboutAsLikely) {
  for (const std::uint32_t n : {3U, 4U}) {
    std::map<std::vector<std::uint32_t>, int> seen;
    constexpr int epochs = 24000;
    for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) ++seen[epoch_order(3, 9, epoch, n)];

    const int orders = n == 3 ? 6 : 24;
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(orders));
    const double expected = static_cast<double>(epochs) / orders;
    double chi2 = 0;
    for (const auto& [order, count] : seen) chi2 += std::pow(count - expected, 2) / expected;
    EXPECT_LT(chi2, n == 3 ? 25 : 60);  // beyond 0.0001 of chi-square with 5 and 23 degrees of freedom
  }
}

TEST(Training, EveryPointIsAsLikelyAtEveryPlace) {
  constexpr std::uint32_t n = 50;
  constexpr int epochs = 20000;
  std::vector<int> seen(std::size_t{n} * n, 0);
  for (std::uint32_t epoch = 0; epoch < epochs; ++epoch) {
    const auto order = epoch_order(11, 5, epoch, n);
    for (std::size_t i = 0; i < n; ++i) ++seen[i * n + order[i]];
  }

  double chi2 = 0;
  for (const int count : seen) chi2 += std::pow(count - epochs / 50.0, 2) / (epochs / 50.0);

  EXPECT_NEAR(chi2, 49.0 * 49.0, 5 * std::sqrt(2 * 49.0 * 49.0));
}

}  // namespace
}  // namespace atl::som
