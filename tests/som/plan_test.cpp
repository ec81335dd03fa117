#include "som/plan.hpp"

#include <gtest/gtest.h>

#include <set>

namespace atl::som {
namespace {

config::SweepSettings sweep_of(std::vector<std::int64_t> neurons, std::int64_t replicates) {
  config::SweepSettings sweep;
  sweep.neurons = std::move(neurons);
  sweep.replicates = replicates;
  return sweep;
}

TEST(Plan, TheReplicateIsFastestAndTheTopologySlowest) {
  config::SweepSettings sweep = sweep_of({3, 2}, 2);
  sweep.topology = {config::MapTopology::ring, config::MapTopology::rectangular};
  sweep.shapes = {{2, 3}};
  sweep.epochs = {10, 20};
  sweep.sigma = {{5, 0}, {0, 2}};

  const Plan plan = make_plan(sweep);

  ASSERT_EQ(plan.maps.size(), 24U);  // (2 + 1) shapes, 2 sigmas, 2 epochs, 2 replicates
  EXPECT_EQ(plan.settings(), 12U);
  const auto is = [&](std::size_t s, std::int32_t rows, std::int32_t columns, double sigma, std::int32_t epochs,
                      std::int32_t replicate) {
    const MapSetting& map = plan.maps[s];
    EXPECT_EQ(map.rows, rows) << s;
    EXPECT_EQ(map.columns, columns) << s;
    EXPECT_EQ(map.sigma, sigma) << s;
    EXPECT_EQ(map.epochs, epochs) << s;
    EXPECT_EQ(map.replicate, replicate) << s;
  };
  is(0, 1, 3, 5, 10, 0);
  is(1, 1, 3, 5, 10, 1);
  is(2, 1, 3, 5, 20, 0);
  is(4, 1, 3, 1.5, 10, 0);
  is(8, 1, 2, 5, 10, 0);
  is(23, 2, 3, 1.5, 20, 1);
}

TEST(Plan, AGroupHoldsTheSettingsThatDifferInShapeOnly) {
  config::SweepSettings sweep = sweep_of({2, 3, 4}, 5);
  sweep.topology = {config::MapTopology::ring, config::MapTopology::line};
  sweep.sigma = {{5, 0}, {1, 0}};

  const Plan plan = make_plan(sweep);

  EXPECT_EQ(plan.groups, 4U);
  EXPECT_EQ(plan.group, (std::vector<std::size_t>{0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3}));
}

TEST(Plan, ALargerSweepHoldsTheSmallerOnesMaps) {
  const Plan small = make_plan(sweep_of({2, 3, 4}, 2));
  const Plan large = make_plan(sweep_of({5, 4, 3, 2}, 3));
  std::set<std::uint64_t> streams;
  for (const MapSetting& map : large.maps) streams.insert(stream_of(map));

  for (const MapSetting& map : small.maps) EXPECT_TRUE(streams.contains(stream_of(map)));

  EXPECT_EQ(streams.size(), large.maps.size());  // and no two maps share a stream
}

TEST(Plan, IsDescribedInOneLine) {
  config::SweepSettings sweep = sweep_of({}, 10);
  for (std::int64_t n = 2; n <= 128; ++n) sweep.neurons.push_back(n);

  EXPECT_EQ(describe(make_plan(sweep), sweep), "1,270 maps: ring of 2 to 128 neurons, 10 replicates");
  const config::SweepSettings one = sweep_of({3}, 1);
  EXPECT_EQ(describe(make_plan(one), one), "1 map: ring of 3 neurons");
}

}  // namespace
}  // namespace atl::som
