#include "de/polish.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "de/host_objective.hpp"
#include "de/sample_problem.hpp"

namespace atl::de {
namespace {

using sample::box;

class Polish : public testing::Test {
 protected:
  void SetUp() override {
    if (!polish_available()) GTEST_SKIP() << "this build has no NLopt";
  }
};

/// f at u, which also checks that no point outside the box is ever asked for.
std::function<double(const std::vector<double>&)> watched(const Problem& problem, HostObjective objective) {
  return [&problem, objective = std::move(objective)](const std::vector<double>& u) {
    for (std::size_t k = 0; k < u.size(); ++k) {
      EXPECT_GE(u[k], problem.lower[k]);
      EXPECT_LE(u[k], problem.upper[k]);
    }
    return objective(decode(problem, u));
  };
}

// A point that a search of the product model passes on its way: the known minimum is 98.04025930807.
const std::vector<double> on_the_way = {-0.129534788, 2.7855517,       0.00524032999, -0.212626428,
                                        -2.72079617,  -6.79967073e-05, 0.0558460492,  -16.1748712};

TEST_F(Polish, ImprovesASumOfAbsoluteDeviationsWhoseFactorsScaleAgainstEachOther) {
  const Problem problem = make_problem(sample::product());
  const auto objective = watched(problem, host_objective(problem));
  const double start = objective(on_the_way);
  ASSERT_NEAR(start, 98.5, 0.2);

  const Polished polished = polish(problem, on_the_way, start, objective);

  EXPECT_LT(polished.fun, 98.1);
  EXPECT_GE(polished.fun, 98.04025930807 - 1e-9);
  EXPECT_EQ(polished.fun, objective(polished.u));
  EXPECT_LE(polished.evaluations, 2000 + 500 * 8 + 10);
}

TEST_F(Polish, ReachesTheMinimumOfASmoothValley) {
  const Problem problem = make_problem(sample::benchmark("rosenbrock", 5, -5, 5));
  const auto objective = watched(problem, host_objective(problem));
  const std::vector<double> start = {0.9, 0.8, 0.65, 0.42, 0.18};

  const Polished polished = polish(problem, start, objective(start), objective);

  EXPECT_LT(polished.fun, 1e-12);
}

TEST_F(Polish, GoesOnInManyDimensions) {
  const Problem problem = make_problem(sample::benchmark("sphere", 150, -5, 5));
  const auto objective = watched(problem, host_objective(problem));
  const std::vector<double> start(150, 0.1);

  const Polished polished = polish(problem, start, objective(start), objective);

  EXPECT_LT(polished.fun, 0.01 * objective(start));
}

TEST_F(Polish, StaysInTheBoxWhenTheMinimumLiesOutside) {
  const Problem problem = make_problem(sample::benchmark("sphere", 3, 5, 10));
  const auto objective = watched(problem, host_objective(problem));
  const std::vector<double> start = {5, 7, 10};

  const Polished polished = polish(problem, start, objective(start), objective);

  EXPECT_EQ(polished.fun, 75);
  EXPECT_EQ(polished.u, (std::vector{5.0, 5.0, 5.0}));
}

TEST_F(Polish, HoldsIntegersAndFixedEntries) {
  auto settings = sample::benchmark("sphere", 2, -5, 5);
  settings.problem.parameters.push_back(box("n", -3, 3));
  settings.problem.parameters.back().integer = true;
  settings.problem.parameters.push_back(box("c", 2, 2));
  const Problem problem = make_problem(settings);
  const auto objective = watched(problem, host_objective(problem));
  const std::vector<double> start = {1, -2, 3};

  const Polished polished = polish(problem, start, objective(start), objective);

  EXPECT_EQ(polished.u[2], 3);
  EXPECT_NEAR(polished.fun, 9 + 4, 1e-12);
}

TEST_F(Polish, WithNothingToMoveItReturnsTheStartWithoutAnEvaluation) {
  auto settings = sample::benchmark("sphere", 1, 2, 2);
  settings.problem.parameters.push_back(box("n", -3, 3));
  settings.problem.parameters.back().integer = true;
  const Problem problem = make_problem(settings);

  const Polished polished = polish(problem, {1}, 5, [](const auto&) { return 0.0; });

  EXPECT_EQ(polished.fun, 5);
  EXPECT_EQ(polished.evaluations, 0);
}

TEST_F(Polish, NeverGetsWorseAndKeepsTheStartWhereNothingIsBetter) {
  const Problem problem = make_problem(sample::benchmark("sphere", 2, -5, 5));
  const std::vector<double> start = {0.25, 1};

  const Polished worse = polish(problem, start, 1, [](const auto&) { return 2.0; });
  const Polished broken = polish(problem, start, 1, [](const auto&) { return std::nan(""); });
  const Polished infinite =
      polish(problem, start, 1, [](const auto&) { return std::numeric_limits<double>::infinity(); });

  for (const Polished& polished : {worse, broken, infinite}) {
    EXPECT_EQ(polished.fun, 1);
    EXPECT_EQ(polished.u, start);
  }
}

TEST_F(Polish, AStartThatIsNotFiniteIsLeftAlone) {
  const Problem problem = make_problem(sample::benchmark("sphere", 2, -5, 5));

  const Polished polished = polish(problem, {1, 1}, std::nan(""), [](const auto&) { return 0.0; });

  EXPECT_TRUE(std::isnan(polished.fun));
  EXPECT_EQ(polished.evaluations, 0);
}

TEST_F(Polish, AnErrorOfTheObjectiveComesThrough) {
  const Problem problem = make_problem(sample::benchmark("sphere", 2, -5, 5));
  const auto failing = [](const std::vector<double>&) -> double { throw std::runtime_error("device lost"); };

  EXPECT_THROW((void)polish(problem, {1, 1}, 2, failing), std::runtime_error);
}

TEST_F(Polish, GivesTheSameBitsTwice) {
  const Problem problem = make_problem(sample::product());
  const auto objective = watched(problem, host_objective(problem));
  const double start = objective(on_the_way);

  const Polished first = polish(problem, on_the_way, start, objective);
  const Polished second = polish(problem, on_the_way, start, objective);

  EXPECT_EQ(first.u, second.u);
  EXPECT_EQ(first.fun, second.fun);
}

TEST(PolishWithoutNlopt, ReturnsTheStart) {
  if (polish_available()) GTEST_SKIP() << "this build has NLopt";
  const Problem problem = make_problem(sample::benchmark("sphere", 2, -5, 5));

  const Polished polished = polish(problem, {1, 1}, 2, [](const auto&) { return 0.0; });

  EXPECT_EQ(polished.fun, 2);
  EXPECT_EQ(polished.evaluations, 0);
}

}  // namespace
}  // namespace atl::de
