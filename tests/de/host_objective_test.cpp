#include "de/host_objective.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "de/sample_problem.hpp"

namespace atl::de {
namespace {

using config::LossKind;
using sample::box;

TEST(HostObjective, LossesFollowTheirFormulas) {
  EXPECT_EQ(loss(LossKind::absolute, 1, -3), 3);
  EXPECT_EQ(loss(LossKind::squared, 1, -3), 9);
  EXPECT_EQ(loss(LossKind::huber, 2, -1.5), 2.25);
  EXPECT_EQ(loss(LossKind::huber, 2, -3), 2 * 2 * 3 - 4);
  EXPECT_EQ(loss(LossKind::huber, 2, 2), 4);
  EXPECT_DOUBLE_EQ(loss(LossKind::cauchy, 2, -3), 4 * std::log(1 + 2.25));
}

TEST(HostObjective, SumsWeightedLossesOverTheRows) {
  auto settings = sample::model("a*x", sample::file("w.csv", "x,y,w\n1,2,1\n2,3,0.5\n3,10,2\n"), {box("a", 0, 5)});
  settings.problem.weight = "w";

  const HostObjective objective = host_objective(make_problem(settings));

  EXPECT_EQ(objective(std::vector{1.0}), 1 * 1 + 0.5 * 1 + 2 * 7);
}

TEST(HostObjective, ARowOfWeightZeroTakesNoPartEvenWhereTheModelIsNotFinite) {
  auto settings = sample::model("a/x", sample::file("z.csv", "x,y,w\n1,2,1\n0,3,0\n"), {box("a", 0, 5)});
  settings.problem.weight = "w";

  const HostObjective objective = host_objective(make_problem(settings));

  EXPECT_EQ(objective(std::vector{0.5}), 1.5);
}

TEST(HostObjective, OutlivesItsProblem) {
  HostObjective objective;
  {
    const Problem problem = make_problem(sample::product());
    objective = host_objective(problem);
  }

  const double value = objective(std::vector<double>(8, 0.0));

  EXPECT_GT(value, 1000);  // the sum of the |y|
}

TEST(HostObjective, PredictGivesTheModelRowByRow) {
  const auto settings =
      sample::model("a*x + b", sample::file("p.csv", "x,y\n1,2\n2,3\n"), {box("a", 0, 5), box("b", 0, 5)});

  const auto values = predict(make_problem(settings), std::vector{2.0, 0.5});

  EXPECT_EQ(values, (std::vector{2.5, 4.5}));
}

TEST(HostObjective, BenchmarksHaveOneAndObjectiveFilesHaveNone) {
  const std::string path = sample::file("one.cl", "real objective(const real *x) { return x[0]; }\n");

  EXPECT_EQ(host_objective(make_problem(sample::benchmark("sphere", 2, -1, 1)))(std::vector{3.0, 4.0}), 25);
  EXPECT_FALSE(host_objective(make_problem(sample::objective(path, {box("a", 0, 1)}))));
}

}  // namespace
}  // namespace atl::de
