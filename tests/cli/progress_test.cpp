#include "cli/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace atl::cli {
namespace {

TEST(Progress, SecondsReadAsAPersonSaysThem) {
  EXPECT_EQ(human_seconds(0.0123), "12 ms");
  EXPECT_EQ(human_seconds(0.9999), "1.00 s");
  EXPECT_EQ(human_seconds(3.14159), "3.14 s");
  EXPECT_EQ(human_seconds(59.6), "60 s");
  EXPECT_EQ(human_seconds(200), "3 min 20 s");
  EXPECT_EQ(human_seconds(7500), "2 h 05 min");
  EXPECT_EQ(human_seconds(3 * 86400.0 + 4 * 3600), "3 d 4 h");
  EXPECT_EQ(human_seconds(1e300), "years");
}

TEST(Progress, CountsHaveThreeDigitsAndAPrefix) {
  EXPECT_EQ(human_count(0), "0");
  EXPECT_EQ(human_count(950), "950");
  EXPECT_EQ(human_count(999.7), "1.00 k");
  EXPECT_EQ(human_count(6.7e6), "6.70 M");
  EXPECT_EQ(human_count(49.12e9), "49.1 G");
  EXPECT_EQ(human_count(999.6e6), "1.00 G");
  EXPECT_EQ(human_count(123e12), "123 T");
}

TEST(Progress, TheLineTellsTimeShareRateAndBest) {
  ProgressState state;
  state.seconds = 12;
  state.count = 80'400'000;
  state.unit = "evaluations";
  state.best = "98.0402593";
  state.share_done = 0.45;

  EXPECT_EQ(progress_line(state), "12 s, 45 % done, 15 s left, 6.70 M evaluations/s, best 98.0402593");
}

TEST(Progress, TimeLeftCountsOnlyWhatThisLegHasDone) {
  ProgressState state;
  state.seconds = 10;
  state.share_at_start = 0.5;
  state.share_done = 0.75;

  EXPECT_NE(progress_line(state).find("10 s left"), std::string::npos) << progress_line(state);
}

TEST(Progress, NothingFinishedIsNoRate) {
  ProgressState state;
  state.seconds = 10;
  state.share_done = 0.5;
  state.unit = "maps";

  EXPECT_EQ(progress_line(state), "10 s, 50 % done, 10 s left");
}

TEST(Progress, AnUnknownShareIsNotShown) {
  ProgressState state;
  state.seconds = 10;
  state.count = 100;
  state.unit = "maps";

  EXPECT_EQ(progress_line(state), "10 s, 10 maps/s");
}

int lines_shown_until(double end) {
  int lines = 0;
  Progress progress(Progress::Style::lines, [&](const std::string& text) { lines += text.back() == '\n' ? 1 : 0; });
  ProgressState state;
  for (state.seconds = 0; state.seconds < end; state.seconds += 0.5) progress.show(state);
  return lines;
}

TEST(Progress, PlainLinesComeEveryTenSecondsThenEveryMinuteThenEveryTenMinutes) {
  EXPECT_EQ(lines_shown_until(9), 0);
  EXPECT_EQ(lines_shown_until(61), 6);
  EXPECT_EQ(lines_shown_until(601), 6 + 9);
  EXPECT_EQ(lines_shown_until(3601), 6 + 9 + 5);
}

TEST(Progress, ATerminalLineIsRedrawnAtMostTenTimesASecondAndTakenAway) {
  std::string written;
  {
    Progress progress(Progress::Style::terminal, [&](const std::string& text) { written += text; });
    ProgressState state;
    state.seconds = 1;
    progress.show(state);
    state.seconds = 1.05;
    progress.show(state);
  }

  EXPECT_EQ(written.find('\n'), std::string::npos);
  EXPECT_EQ(std::count(written.begin(), written.end(), '\r'), 1 + 2);  // drawn once, wiped at the end
}

TEST(Progress, ATerminalLineNeverWraps) {
  std::string written;
  Progress progress(
      Progress::Style::terminal, [&](const std::string& text) { written = text; }, 10);
  ProgressState state;
  state.seconds = 1;
  state.best = "a long text that would wrap";

  progress.show(state);

  EXPECT_EQ(written.size(), 1U + 9U);
}

TEST(Progress, QuietSaysNothing) {
  std::string written;
  Progress progress(Progress::Style::none, [&](const std::string& text) { written += text; });
  ProgressState state;
  state.seconds = 1000;

  progress.show(state);
  progress.clear();

  EXPECT_EQ(written, "");
}

}  // namespace
}  // namespace atl::cli
