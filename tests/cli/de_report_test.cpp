#include "cli/de_report.hpp"

#include <gtest/gtest.h>

#include "cli/de_dry_run.hpp"

namespace atl::cli {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

de::Entry entry(const std::string& name, double min, double max) {
  de::Entry result;
  result.name = name;
  result.min = min;
  result.max = max;
  return result;
}

de::Problem sphere() {
  de::Problem problem;
  problem.name = "sphere";
  problem.entries = {entry("a", -1, 5), entry("k", 1e-6, 1e2), entry("n", 0, 3), entry("c", 2.5, 2.5),
                     entry("s", 0, 1)};
  problem.entries[1].log_scale = true;
  problem.entries[2].integer = true;
  problem.entries[3].fixed = true;
  problem.entries[3].value = 2.5;
  problem.entries[4].start = 0.125;
  return problem;
}

store::DeResult result(std::size_t entries) {
  store::DeResult result;
  result.success = true;
  result.fun = 98.04;
  result.message = "the budget of evaluations was used";
  result.nfev = 5'120'000;
  result.islands = 64;
  result.history_seconds = {0, 2};
  for (std::size_t i = 0; i < entries; ++i) {
    result.names.push_back("p" + std::to_string(i));
    result.x.push_back(0.5);
    result.fixed.push_back(0);
    result.at_bound.push_back(i == 1 ? 1 : 0);
  }
  result.devices = {{0, "h", "Some GPU", "", "", 0, 0}, {1, "h", "Some GPU", "", "", 0, 0}};
  return result;
}

TEST(DeReport, TheStartIsTheGivenValueOrTheMiddleOfTheBox) {
  const StartPoint start = start_point(sphere());

  EXPECT_EQ(start.x[0], 2);
  EXPECT_NEAR(start.x[1], 1e-2, 1e-12);
  EXPECT_EQ(start.x[2], 2);
  EXPECT_EQ(start.x[3], 2.5);
  EXPECT_EQ(start.x[4], 0.125);
  EXPECT_EQ(start.from_box, (std::vector{true, true, true, false, false}));
}

TEST(DeReport, AnEvaluationTellsWhereEachValueCameFromAndWhoComputed) {
  EvaluationReport report;
  report.host = 42;
  report.device = de::Evaluation{42, {}};
  report.device_name = "Some GPU";

  const std::string text = evaluation_text(sphere(), start_point(sphere()), report);

  EXPECT_TRUE(contains(text, "  a = 2  (no start: the middle of its box)\n")) << text;
  EXPECT_TRUE(contains(text, "  c = 2.5  (fixed)\n")) << text;
  EXPECT_TRUE(contains(text, "  s = 0.125\n")) << text;
  EXPECT_TRUE(contains(text, "f = 42  on Some GPU\n")) << text;
  EXPECT_TRUE(contains(text, "f = 42  by the host in double precision\n")) << text;
}

TEST(DeReport, ASummaryHasTheBestPointTheRateAndTheFile) {
  const std::string text = summary_text(result(2), "wing.h5", false);

  EXPECT_TRUE(text.starts_with("fun = 98.04\n  p0 = 0.5\n  p1 = 0.5  (at its bound)\n")) << text;
  EXPECT_TRUE(contains(text, "5.12 M evaluations on 64 islands in 2.00 s (2.56 M/s) on 2 x Some GPU")) << text;
  EXPECT_TRUE(contains(text, "the budget of evaluations was used\n")) << text;
  EXPECT_TRUE(text.ends_with("-> wing.h5\n")) << text;
}

TEST(DeReport, OneOfAKindHasNoPlural) {
  auto tiny = result(1);
  tiny.nfev = 1;
  tiny.islands = 1;
  tiny.nan_evaluations = 1;

  const std::string text = summary_text(tiny, "w.h5", false);

  EXPECT_TRUE(contains(text, "1 evaluation gave NaN, 0 gave inf\n")) << text;
  EXPECT_TRUE(contains(text, "1 evaluation on 1 island in 2.00 s")) << text;
}

TEST(DeReport, ALongPointIsCutUnlessAllOfItIsWanted) {
  const std::string cut = summary_text(result(1000), "wing.h5", false);
  const std::string all = summary_text(result(1000), "wing.h5", true);

  EXPECT_TRUE(contains(cut, "and 976 more: atoll show wing.h5")) << cut;
  EXPECT_FALSE(contains(cut, "p999"));
  EXPECT_TRUE(contains(all, "p999 = 0.5"));
}

TEST(DeReport, NanAndInfiniteEnergiesAreCounted) {
  auto with_faults = result(1);
  with_faults.nan_evaluations = 3;
  with_faults.inf_evaluations = 2;

  EXPECT_TRUE(contains(summary_text(with_faults, "w.h5", false), "3 evaluations gave NaN, 2 gave inf\n"));
}

TEST(DeReport, TheEstimatedTimeFallsWithUnitsAndGrowsWithWork) {
  const de::Problem problem = sphere();

  const double one = estimated_seconds(problem, 1e6, 1, false, false);

  EXPECT_GT(one, 0);
  EXPECT_DOUBLE_EQ(estimated_seconds(problem, 2e6, 4, false, false), one / 2);
  EXPECT_LT(estimated_seconds(problem, 1e6, 1, true, false), one);
  EXPECT_LT(estimated_seconds(problem, 1e6, 1, false, true), one);
}

}  // namespace
}  // namespace atl::cli
