#include "de/stopping.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "de/migration.hpp"
#include "de/search.hpp"

namespace atl::de {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

IslandStatistics island(double best, double mean, double std, std::int64_t finite = 10) {
  return {best, mean, std, finite, 0};
}

TEST(Stopping, NothingStopsASearchThatHasOnlyABudget) {
  Stopping stopping({});

  for (std::int64_t generation = 0; generation < 1000; ++generation)
    EXPECT_EQ(stopping.check({island(1, 1, 0)}, 10, generation, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(1, 1, 0)}, 10, 1000, true), StopReason::evaluations);
}

TEST(Stopping, AFirstPopulationWithoutANumberEndsTheSearch) {
  Stopping stopping({});

  EXPECT_EQ(stopping.check({island(not_a_number, not_a_number, not_a_number, 0)}, 10, 0, false),
            StopReason::no_finite_energy);
  EXPECT_EQ(Stopping({}).check({island(infinity, 0, 0, 0), island(3, 3, 0, 1)}, 10, 0, false), StopReason::none);
  // Later it may be that migration or a shrinking population left an island without one.
  EXPECT_EQ(stopping.check({island(infinity, 0, 0, 0)}, 10, 5, false), StopReason::none);
}

TEST(Stopping, AnyIslandAtTheValueToReachIsEnough) {
  config::StopSettings settings;
  settings.value_to_reach = 0.5;
  Stopping stopping(settings);

  EXPECT_EQ(stopping.check({island(2, 3, 1), island(0.6, 3, 1)}, 10, 1, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(2, 3, 1), island(0.5, 3, 1)}, 10, 2, false), StopReason::value_to_reach);
  EXPECT_EQ(stopping.check({island(not_a_number, 0, 0, 0), island(0.1, 3, 1)}, 10, 2, true),
            StopReason::value_to_reach);
}

TEST(Stopping, TheToleranceHoldsOnEveryIslandOrNotAtAll) {
  config::StopSettings settings;
  settings.tolerance_relative = 0.01;
  settings.tolerance_absolute = 0.1;
  Stopping stopping(settings);

  EXPECT_EQ(stopping.check({island(9, -10, 0.2), island(9, 10, 0.2)}, 10, 1, false), StopReason::tolerance);
  EXPECT_EQ(stopping.check({island(9, 10, 0.2), island(9, 10, 0.21)}, 10, 1, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(9, 10, 0.2), island(9, 10, 0, 9)}, 10, 1, false), StopReason::none)
      << "an energy that is not finite never agrees";
}

TEST(Stopping, StagnationCountsGenerationsWithoutAStrictlyBetterJobBest) {
  config::StopSettings settings;
  settings.stagnation = 20;
  Stopping stopping(settings);

  EXPECT_EQ(stopping.check({island(5, 5, 1), island(7, 7, 1)}, 10, 0, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(5, 5, 1), island(6, 6, 1)}, 10, 10, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(5, 5, 1), island(4, 6, 1)}, 10, 19, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(4, 5, 1), island(4, 6, 1)}, 10, 38, false), StopReason::none);
  EXPECT_EQ(stopping.check({island(4, 5, 1), island(4, 6, 1)}, 10, 39, false), StopReason::stagnation);
}

TEST(Stopping, TheFirstInTheListNamesTheReason) {
  config::StopSettings settings;
  settings.generations = 10;
  settings.value_to_reach = 1;
  settings.tolerance_absolute = 1;
  EXPECT_EQ(Stopping(settings).check({island(1, 1, 0)}, 10, 10, true), StopReason::value_to_reach);
  settings.value_to_reach.reset();
  EXPECT_EQ(Stopping(settings).check({island(1, 1, 0)}, 10, 10, true), StopReason::tolerance);
  settings.tolerance_absolute = 0;
  EXPECT_EQ(Stopping(settings).check({island(1, 1, 0)}, 10, 10, true), StopReason::evaluations);
  EXPECT_EQ(Stopping(settings).check({island(1, 1, 0)}, 10, 10, false), StopReason::generations);
  EXPECT_EQ(Stopping(settings).check({island(1, 1, 0)}, 10, 9, false), StopReason::none);
}

TEST(Stopping, EveryReasonHasANameAndASentence) {
  std::vector<std::string> names;
  for (std::int64_t reason = 1; reason <= static_cast<std::int64_t>(StopReason::max_time); ++reason) {
    names.emplace_back(name_of(static_cast<StopReason>(reason)));
    EXPECT_NE(names.back(), "none");
    EXPECT_NE(message_of(static_cast<StopReason>(reason), {}), "running");
  }
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

std::vector<std::int64_t> reports(const config::MigrationSettings& migration, const config::StopSettings& stop,
                                  std::int64_t end) {
  std::vector<std::int64_t> generations;
  for (std::int64_t at = 0; at < end;) generations.push_back(at = next_report(migration, stop, at));
  return generations;
}

TEST(NextReport, WithoutMigrationEveryInterval) {
  config::MigrationSettings migration;
  migration.topology = config::Topology::unconnected;
  migration.interval = 50;
  migration.first = 75;

  EXPECT_EQ(reports(migration, {}, 200), (std::vector<std::int64_t>{50, 100, 150, 200}));
}

TEST(NextReport, BeforeTheFirstExchangeEveryIntervalThenAtEveryExchange) {
  config::MigrationSettings migration;
  migration.interval = 50;
  migration.first = 175;

  EXPECT_EQ(reports(migration, {}, 300), (std::vector<std::int64_t>{50, 100, 150, 175, 225, 275, 325}));
  migration.first = 20;
  EXPECT_EQ(reports(migration, {}, 150), (std::vector<std::int64_t>{20, 70, 120, 170}));
  for (const std::int64_t generation : {20, 70, 120, 170}) EXPECT_TRUE(migration_due(migration, 2, generation));
}

TEST(NextReport, TheLastGenerationOfTheUserIsOne) {
  config::MigrationSettings migration;
  migration.interval = 50;
  migration.first = 50;
  config::StopSettings stop;
  stop.generations = 120;

  EXPECT_EQ(reports(migration, stop, 120), (std::vector<std::int64_t>{50, 100, 120}));
}

TEST(MigrationDue, FromTheFirstOnEveryIntervalForTwoIslandsOrMore) {
  config::MigrationSettings migration;
  migration.interval = 10;
  migration.first = 25;

  std::vector<std::int64_t> due;
  for (std::int64_t generation = 0; generation <= 60; ++generation)
    if (migration_due(migration, 2, generation)) due.push_back(generation);

  EXPECT_EQ(due, (std::vector<std::int64_t>{25, 35, 45, 55}));
  EXPECT_FALSE(migration_due(migration, 1, 25));
  migration.first = 0;
  EXPECT_FALSE(migration_due(migration, 2, 0));
  migration.topology = config::Topology::unconnected;
  EXPECT_FALSE(migration_due(migration, 2, 10));
}

}  // namespace
}  // namespace atl::de
