#include "de/rules.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "de/jso_reference.hpp"

namespace atl::de {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Rules, NumbersRankBeforeInfinityAndInfinityBeforeNan) {
  const double ranked[] = {-infinity, -1, 0, 1e300, infinity, nan};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) {
      EXPECT_EQ(draws64::ranks_before(ranked[i], ranked[j]), i < j) << i << ' ' << j;
      EXPECT_EQ(reference::better(ranked[i], ranked[j]), i < j) << i << ' ' << j;
    }
}

TEST(Rules, ThePopulationFallsLinearlyToFourWithTheEvaluations) {
  EXPECT_EQ(draws64::scheduled_population(18, 0, 1000), 18);
  EXPECT_EQ(draws64::scheduled_population(18, 500, 1000), 11);
  EXPECT_EQ(draws64::scheduled_population(18, 1000, 1000), 4);
  EXPECT_EQ(draws64::scheduled_population(18, 5000, 1000), 4);
  EXPECT_EQ(draws64::scheduled_population(5, 499, 1000), 5);
  EXPECT_EQ(draws64::scheduled_population(5, 500, 1000), 5);  // 4.5, half away from zero
  EXPECT_EQ(draws64::scheduled_population(5, 501, 1000), 4);
  for (const std::uint32_t first : {4U, 5U, 18U, 147U, 1000U})
    for (const std::int64_t schedule : {7LL, 1000LL, 12'345LL, 3'000'000LL})
      for (std::int64_t step = 0; step <= 200; ++step) {
        const std::int64_t evaluations = schedule * step / 150;
        EXPECT_EQ(draws64::scheduled_population(first, static_cast<std::uint64_t>(evaluations),
                                                static_cast<std::uint64_t>(schedule)),
                  reference::scheduled_population(first, evaluations, schedule));
      }
}

TEST(Rules, LongSchedulesDoNotOverflow) {
  const std::uint64_t schedule = 1'000'000'000'000;

  EXPECT_EQ(draws64::scheduled_population(100'000, schedule / 2, schedule), 50'002);
}

TEST(Rules, GenesOutsideTheBoxComeBack) {
  using namespace draws64;
  EXPECT_EQ(bound_midpoint(-3, 1, -1, 2), 0);
  EXPECT_EQ(bound_midpoint(5, 1, -1, 2), 1.5);
  EXPECT_EQ(bound_midpoint(0.5, 1, -1, 2), 0.5);
  EXPECT_EQ(bound_clip(-3, -1, 2), -1);
  EXPECT_EQ(bound_clip(5, -1, 2), 2);
  EXPECT_EQ(bound_reflect(-1.5, -1, 2), -0.5);
  EXPECT_EQ(bound_reflect(2.25, -1, 2), 1.75);
  EXPECT_EQ(bound_reflect(-9, -1, 2), 2);  // mirrored to 7, then clipped
  EXPECT_EQ(bound_reflect(9, -1, 2), -1);
  for (const double repaired : {bound_midpoint(nan, 1, -1, 2), bound_clip(nan, -1, 2), bound_reflect(nan, -1, 2)}) {
    EXPECT_GE(repaired, -1);
    EXPECT_LE(repaired, 2);
  }
  for (const double far : {-infinity, infinity})
    for (const double repaired : {bound_midpoint(far, 1, -1, 2), bound_clip(far, -1, 2), bound_reflect(far, -1, 2)}) {
      EXPECT_GE(repaired, -1);
      EXPECT_LE(repaired, 2);
    }
}

TEST(Rules, APointOfTheBoxIsNeverOutsideIt) {
  EXPECT_EQ(draws64::point_in_box(0, -1, 2), -1);
  EXPECT_EQ(draws64::point_in_box(0.5, -1, 2), 0.5);
  EXPECT_LE(draws64::point_in_box(1 - 0x1p-53, 0.1, 0.3), 0.3);
  EXPECT_EQ(draws64::point_in_box(0.7, 0.1, 0.1), 0.1);
}

}  // namespace
}  // namespace atl::de
