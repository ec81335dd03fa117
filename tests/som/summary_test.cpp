#include "som/summary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "som/suggestion.hpp"
#include "som/summary_text.hpp"

namespace atl::som {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

Plan plan_of(std::vector<std::int64_t> neurons, std::int64_t replicates) {
  config::SweepSettings sweep;
  sweep.neurons = std::move(neurons);
  sweep.replicates = replicates;
  return make_plan(sweep);
}

/// Maps whose every measure is the given value.
std::vector<store::SomMeasures> measures_of(const std::vector<double>& values) {
  std::vector<store::SomMeasures> measures(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) measures[i].fill(values[i]);
  return measures;
}

/// A curve with these sizes in which only the given measures say anything.
Curve curve_of(std::vector<std::int64_t> neurons) {
  Curve curve;
  const std::size_t count = neurons.size();
  curve.neurons = std::move(neurons);
  curve.quantization_error.assign(count, none);
  curve.topographic_error.assign(count, none);
  curve.explained_variance.assign(count, none);
  curve.davies_bouldin.assign(count, none);
  curve.all_neighbors.assign(count, false);
  return curve;
}

TEST(Summary, SpansTheReplicatesOfEachSetting) {
  const Plan plan = plan_of({2, 3}, 4);

  const store::SomSummary summary = summarize(plan, measures_of({1, 2, 3, 6, 5, 5, 5, 5}));

  ASSERT_EQ(summary.mean.size(), 2U);
  EXPECT_EQ(summary.mean[0][0], 3);
  EXPECT_EQ(summary.min[0][0], 1);
  EXPECT_DOUBLE_EQ(summary.std[0][0], std::sqrt(3.5));  // over the count
  EXPECT_EQ(summary.std[1][0], 0);
  EXPECT_EQ(summary.replicates, (std::vector<std::int64_t>{4, 4}));
  EXPECT_EQ(summary.settings.neurons, (std::vector<std::int64_t>{2, 3}));
}

TEST(Summary, LeavesOutAndCountsUndefinedMeasures) {
  const Plan plan = plan_of({2, 3}, 2);

  const store::SomSummary summary = summarize(plan, measures_of({none, 4, none, none}));

  EXPECT_EQ(summary.mean[0][0], 4);
  EXPECT_EQ(summary.nan[0][0], 1);
  EXPECT_TRUE(std::isnan(summary.mean[1][0]));
  EXPECT_EQ(summary.nan[1][0], 2);
}

TEST(Falling, IsTheNearestSequenceThatNeverRises) {
  EXPECT_EQ(falling({5, 3, 1}), (std::vector<double>{5, 3, 1}));
  EXPECT_EQ(falling({5, 1, 3, 0}), (std::vector<double>{5, 2, 2, 0}));
  EXPECT_EQ(falling({1, 2, 3}), (std::vector<double>{2, 2, 2}));
}

TEST(Criteria, TheElbowIsWhereAPlantedCurveBends) {
  Curve curve = curve_of({1, 2, 4, 8, 16, 32, 64});
  curve.quantization_error = {10, 8, 6, 1, 0.9, 0.8, 0.7};

  const Criteria criteria = criteria_of(curve);

  ASSERT_TRUE(criteria.elbow.has_value());
  EXPECT_EQ(curve.neurons[*criteria.elbow], 8);
}

TEST(Criteria, AStraightOrRisingCurveHasNoElbow) {
  Curve rising = curve_of({2, 3, 4, 5});
  rising.quantization_error = {1, 2, 3, 4};
  Curve two = curve_of({2, 3});
  two.quantization_error = {2, 1};

  EXPECT_FALSE(criteria_of(rising).elbow.has_value());
  EXPECT_FALSE(criteria_of(two).elbow.has_value());
}

TEST(Criteria, TheVarianceIsTheLeastSizeNearTheLargest) {
  Curve curve = curve_of({2, 4, 8, 16});
  curve.explained_variance = {0.3, 0.86, 0.9, 0.88};

  EXPECT_EQ(curve.neurons[criteria_of(curve).variance.value()], 4);
}

TEST(Criteria, SizesWhoseNeuronsAreAllNeighboursSayNothingOfTopology) {
  Curve curve = curve_of({2, 3, 8, 16});
  curve.topographic_error = {0, 0, 0.2, 0.1};
  curve.all_neighbors = {true, true, false, false};

  EXPECT_EQ(curve.neurons[criteria_of(curve).topographic.value()], 16);
}

TEST(Suggestion, WhenAllAgreeItSaysSo) {
  Curve curve = curve_of({2, 4, 8, 9, 10, 32});
  curve.quantization_error = {10, 6, 1, 0.95, 0.9, 0.8};
  curve.explained_variance = {0.2, 0.5, 0.95, 0.95, 0.96, 0.97};
  curve.davies_bouldin = {2, 1.5, 0.4, 0.5, 0.6, 0.9};
  curve.topographic_error = {0.5, 0.4, 0.3, 0.1, 0.2, 0.4};

  const Suggestion suggestion = suggest(curve, criteria_of(curve));

  EXPECT_EQ(curve.neurons[suggestion.at], 8);
  EXPECT_EQ(suggestion.agreeing, 4);
  EXPECT_NE(suggestion.reason.find("elbow at 8"), std::string::npos) << suggestion.reason;
  EXPECT_NE(suggestion.reason.find("all agree"), std::string::npos) << suggestion.reason;
}

TEST(Suggestion, WhenNoneAgreeItTakesTheElbowAndSaysThatTheyDisagree) {
  Curve curve = curve_of({2, 4, 8, 16, 32, 64});
  curve.quantization_error = {10, 6, 1, 0.95, 0.9, 0.8};
  curve.explained_variance = {0.2, 0.3, 0.5, 0.6, 0.7, 0.97};
  curve.davies_bouldin = {0.1, 1.5, 2, 2, 2, 2};
  curve.topographic_error = {0.5, 0.4, 0.3, 0.3, 0.1, 0.4};

  const Suggestion suggestion = suggest(curve, criteria_of(curve));

  EXPECT_EQ(curve.neurons[suggestion.at], 8);
  EXPECT_EQ(suggestion.agreeing, 1);
  EXPECT_NE(suggestion.reason.find("disagree"), std::string::npos) << suggestion.reason;
}

TEST(Suggestions, OneForEachGroupWhateverTheOrderOfTheSizes) {
  config::SweepSettings sweep;
  sweep.neurons = {64, 2, 8, 4, 32, 16};
  sweep.sigma = {{5, 0}, {1, 0}};
  sweep.replicates = 1;
  const Plan plan = make_plan(sweep);
  std::vector<store::SomMeasures> measures(plan.maps.size());
  for (std::size_t s = 0; s < measures.size(); ++s) {
    const double elbow = plan.maps[s].sigma == 5 ? 8 : 16;
    measures[s].fill(none);
    measures[s][store::som_measure("quantization_error")] =
        plan.maps[s].neurons() < elbow ? 10 : 1 - 0.001 * plan.maps[s].neurons();
  }

  const store::SomSuggestions suggestions = suggestions_of(plan, summarize(plan, measures));

  EXPECT_EQ(suggestions.groups.neurons, (std::vector<std::int64_t>{8, 16}));
  EXPECT_EQ(suggestions.groups.sigma, (std::vector<double>{5, 1}));
  EXPECT_EQ(suggestions.elbow, (std::vector<std::int64_t>{8, 16}));
  EXPECT_EQ(suggestions.davies_bouldin, (std::vector<std::int64_t>{0, 0}));
}

TEST(SummaryTable, AThinnedTableStillShowsWhatIsSuggested) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = 2; n <= 40; ++n) sizes.push_back(n);
  const Plan plan = plan_of(sizes, 1);
  std::vector<store::SomMeasures> measures(sizes.size());
  for (std::size_t s = 0; s < measures.size(); ++s) {
    measures[s].fill(none);
    measures[s][store::som_measure("quantization_error")] =
        sizes[s] < 9 ? 10 : 1 - 0.001 * static_cast<double>(sizes[s]);
  }
  const store::SomSummary summary = summarize(plan, measures);

  const std::string text = summary_table(summary, suggestions_of(plan, summary), 3);

  EXPECT_EQ(std::ranges::count(text, '\n'), 6) << text;  // names, first, suggested, middle, last, what is left out
  EXPECT_NE(text.find(" 9 "), std::string::npos) << text;
  EXPECT_NE(text.find("  suggested\n"), std::string::npos) << text;
  EXPECT_NE(text.find("(4 of 39 settings; all are in /summary)"), std::string::npos) << text;
}

TEST(Suggestions, OneSizeNeedsNoChoice) {
  const Plan plan = plan_of({7}, 3);

  const store::SomSuggestions suggestions = suggestions_of(plan, summarize(plan, measures_of({1, 2, 3})));

  EXPECT_EQ(suggestions.groups.neurons, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(suggestions.reason.front(), "the only size in the sweep");
}

TEST(SuggestionText, OneEpochHasNoPlural) {
  store::SomSuggestions suggestions;
  suggestions.groups = {{6}, {2}, {3}, {1}, {"rectangular"}, {2.5}, {0.5}};
  suggestions.reason = {"why"};

  EXPECT_EQ(suggestion_text(suggestions),
            "suggested: 2x3 = 6 neurons (rectangular, sigma 2.5, eta 0.5, 1 epoch): why\n");
}

}  // namespace
}  // namespace atl::som
