#include "de/plan.hpp"

#include <gtest/gtest.h>

#include "de/sample_problem.hpp"

namespace atl::de {
namespace {

IslandPlan plan_of(config::AlgorithmName name, int dimension) {
  auto settings = sample::benchmark("sphere", dimension, -5, 5);
  settings.algorithm.name = name;
  return plan_island(settings, make_problem(settings));
}

TEST(IslandPlan, PopulationsFollowTheAlgorithmsOwnRules) {
  EXPECT_EQ(plan_of(config::AlgorithmName::classic, 8).members, 120);  // 15 a parameter
  EXPECT_EQ(plan_of(config::AlgorithmName::jso, 10).members, 182);     // round(25 ln 10 sqrt 10)
  EXPECT_EQ(plan_of(config::AlgorithmName::jso, 30).members, 466);
  EXPECT_EQ(plan_of(config::AlgorithmName::jso, 1).members, 18);
}

TEST(IslandPlan, OnlyFreeParametersCount) {
  auto settings = sample::benchmark("sphere", 10, -5, 5);
  settings.problem.parameters.push_back(sample::box("fixed", 3, 3));

  const IslandPlan plan = plan_island(settings, make_problem(settings));

  EXPECT_EQ(plan.members, 182);
  EXPECT_EQ(plan.evaluations, 100'000);
  EXPECT_EQ(plan.schedule, 100'000);
}

TEST(IslandPlan, NothingToSearchIsOneEvaluation) {
  auto settings = sample::benchmark("sphere", 3, 2, 2);

  EXPECT_EQ(plan_island(settings, make_problem(settings)).evaluations, 1);
}

TEST(IslandPlan, TheScheduleFollowsTheBudgetUnlessGiven) {
  auto settings = sample::benchmark("sphere", 3, -5, 5);
  settings.stop.evaluations = 5000;
  EXPECT_EQ(plan_island(settings, make_problem(settings)).schedule, 5000);
  settings.algorithm.schedule_evaluations = 700;
  EXPECT_EQ(plan_island(settings, make_problem(settings)).schedule, 700);
  EXPECT_EQ(plan_island(settings, make_problem(settings)).evaluations, 5000);
}

TEST(IslandPlan, NoMoreMigrateThanTheSmallestPopulationHas) {
  auto settings = sample::benchmark("sphere", 3, -5, 5);
  settings.migration.migrants = 7;
  EXPECT_EQ(plan_island(settings, make_problem(settings)).migrants, 4);  // jso shrinks to 4
  settings.algorithm.name = config::AlgorithmName::classic;
  EXPECT_EQ(plan_island(settings, make_problem(settings)).migrants, 7);
  settings.algorithm.population = 6;
  EXPECT_EQ(plan_island(settings, make_problem(settings)).migrants, 6);
}

device::DeviceInfo device_of(bool gpu) {
  device::DeviceInfo device;
  device.name = "test device";
  device.gpu = gpu;
  device.global_memory = std::size_t{4} << 30;
  device.local_memory = 48 << 10;
  device.largest_group = 1024;
  device.compute_units = gpu ? 132 : 2;
  return device;
}

TEST(DevicePlan, EveryDeviceHasRoomForAllMembersInWholeGroups) {
  auto settings = sample::benchmark("sphere", 8, -5, 5);
  const Problem problem = make_problem(settings);
  for (const bool gpu : {true, false})
    for (const int members : {4, 31, 33, 147, 1000}) {
      settings.algorithm.population = members;

      const DevicePlan plan =
          plan_device(plan_island(settings, problem), settings, problem, device_of(gpu), 64, 64, {});

      EXPECT_GE(plan.stride, members);
      EXPECT_EQ(plan.stride % plan.group, 0);
      EXPECT_LE(plan.group, 1024);
      EXPECT_EQ(plan.lanes, !gpu);
    }
}

TEST(DevicePlan, TheShapeNeverFollowsWhatOneRankHolds) {
  for (const std::size_t rows : {27U, 3000U}) {
    std::string text = "x1,y\n";
    for (std::size_t row = 0; row < rows; ++row) text += fmt::format("{},{}\n", row % 7, row % 5);
    auto settings = sample::model("a*x1 + b", sample::file(fmt::format("plan{}.csv", rows), text),
                                  {sample::box("a", -5, 5), sample::box("b", -5, 5)});
    const Problem problem = make_problem(settings);
    const IslandPlan island = plan_island(settings, problem);
    for (const bool gpu : {true, false})
      for (const std::int64_t islands : {1, 64})
        for (const std::int64_t local : {1, 3, 64})
          EXPECT_EQ(plan_device(island, settings, problem, device_of(gpu), islands, local, {}).shape,
                    plan_device(island, settings, problem, device_of(gpu), islands, islands, {}).shape);
  }
}

TEST(DevicePlan, TheUserCanForceAShape) {
  const auto settings = sample::benchmark("sphere", 8, -5, 5);
  const Problem problem = make_problem(settings);
  const IslandPlan island = plan_island(settings, problem);

  EXPECT_EQ(plan_device(island, settings, problem, device_of(true), 64, 64, 'A').shape, Shape::island_a_group);
  EXPECT_EQ(plan_device(island, settings, problem, device_of(true), 64, 64, 'B').shape, Shape::member_a_group);
}

TEST(DevicePlan, MoreThanTheDeviceHoldsIsRefusedWithTheNumbers) {
  auto settings = sample::benchmark("sphere", 1000, -5, 5);
  settings.algorithm.population = 1000;
  const Problem problem = make_problem(settings);
  const IslandPlan island = plan_island(settings, problem);

  const auto [code, message] = sample::error_of(
      [&] { static_cast<void>(plan_device(island, settings, problem, device_of(true), 10'000, 10'000, {})); });

  EXPECT_EQ(code, ExitCode::no_device);
  for (const char* part : {"test device", "10000 islands", "1000 members", "4 GiB"})
    EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST(Islands, AreDealtInBlocksThatDifferByAtMostOne) {
  for (const std::int64_t islands : {1, 5, 8, 64, 1001})
    for (const int ranks : {1, 2, 3, 4, 7}) {
      EXPECT_EQ(first_island(islands, 0, ranks), 0);
      EXPECT_EQ(first_island(islands, ranks, ranks), islands);
      for (int rank = 0; rank < ranks; ++rank) {
        const std::int64_t held = first_island(islands, rank + 1, ranks) - first_island(islands, rank, ranks);
        EXPECT_GE(held, islands / ranks);
        EXPECT_LE(held, islands / ranks + 1);
      }
    }
}

TEST(Islands, RankZeroAlwaysHoldsOne) {
  for (const std::int64_t islands : {1, 2, 3})
    for (const int ranks : {1, 2, 4, 9}) EXPECT_GE(first_island(islands, 1, ranks), 1) << islands << ' ' << ranks;
}

TEST(Islands, AutoFillsTheDevicesOfAllRanks) {
  EXPECT_EQ(automatic_islands({2, 2}, false), 4);
  EXPECT_EQ(automatic_islands({132}, true), 1056);
  EXPECT_EQ(automatic_islands({0}, false), 1);
}

TEST(Schedule, EveryGenerationTakesWhatThePopulationHasAndTheBudgetLeaves) {
  IslandPlan plan;
  plan.members = 10;
  plan.evaluations = 47;
  Schedule schedule(plan);

  std::vector<std::int64_t> counts;
  while (!schedule.exhausted()) counts.push_back(schedule.next().count);

  EXPECT_EQ(counts, (std::vector<std::int64_t>{10, 10, 10, 10, 7}));
  EXPECT_EQ(schedule.evaluations(), 47);
}

TEST(Schedule, AnAdaptivePopulationShrinksToFourByTheEndOfItsSchedule) {
  IslandPlan plan;
  plan.members = 72;
  plan.adaptive = true;
  plan.evaluations = plan.schedule = 5000;
  Schedule schedule(plan);
  std::int64_t before = 72;
  EXPECT_EQ(schedule.next().count, 72);
  EXPECT_EQ(schedule.members(), 72);  // the first population is never cut

  while (!schedule.exhausted()) {
    static_cast<void>(schedule.next());
    EXPECT_LE(schedule.members(), before);
    before = schedule.members();
  }

  EXPECT_EQ(schedule.members(), 4);
  EXPECT_EQ(schedule.evaluations(), 5000);
}

}  // namespace
}  // namespace atl::de
