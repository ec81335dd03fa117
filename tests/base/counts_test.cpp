#include "base/counts.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace atl {
namespace {

TEST(Counts, DigitsStandInGroupsOfThree) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(-123456), "-123,456");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Counts, OneThingHasNoPlural) {
  EXPECT_EQ(counted(1, "map"), "1 map");
  EXPECT_EQ(counted(0, "map"), "0 maps");
  EXPECT_EQ(counted(std::size_t{1270}, "map"), "1,270 maps");
  EXPECT_EQ(plural(2, "evaluation"), "evaluations");
}

}  // namespace
}  // namespace atl
