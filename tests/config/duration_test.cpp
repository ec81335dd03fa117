#include "config/duration.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace atl::config {
namespace {

TEST(Duration, EveryFormGivesItsSeconds) {
  const std::pair<const char*, double> forms[] = {
      {"200ms", 0.2},      {"90s", 90},           {"1.5h", 5400},          {"30m", 1800},          {"11h30m", 41400},
      {"2d", 172800},      {"2d12h", 216000},     {"1h1m1s1ms", 3661.001}, {"2-00:00:00", 172800}, {"2-12", 216000},
      {"2-12:30", 217800}, {"0-00:00:01", 1},     {"11:30:00", 41400},     {"90:00", 5400},        {"00:05", 5},
      {"0s", 0},           {"100:00:00", 360000}, {"1-23:59:59", 172799}};

  for (const auto& [text, seconds] : forms) {
    const std::optional<double> parsed = parse_duration(text);

    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_DOUBLE_EQ(*parsed, seconds) << text;
  }
}

TEST(Duration, WhatIsNoDurationIsRefused) {
  for (const char* text : {"",           "90",           "s",     "90 s",    "-5s",  "1.5.5s", "5parsecs",
                           "30m11h",     "5s5s",         "1:60",  "1:60:00", "2-24", "2-",     "-2",
                           "2-00:00:60", "1:2:3:4",      "1-2-3", "1:",      ":1",   "infs",   "nan",
                           "1e5s",       "99999999999d", "0x10s", "1.5:00",  "+5s",  "5S",     "10min"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

TEST(Duration, TheErrorNamesTheFormsAndThePlace) {
  const std::string error = test::error_of([] {
    (void)parse_duration("soon", Location{"--max-time", 0, 0}, ExitCode::usage);
  });

  EXPECT_EQ(error, std::string("64 --max-time: \"soon\" is not a duration; write ") + duration_forms);
}

}  // namespace
}  // namespace atl::config
