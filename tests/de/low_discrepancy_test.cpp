#include "de/low_discrepancy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hpp"

namespace atl::de {
namespace {

struct Value {
  std::size_t point, coordinate;
  double value;
};

// Expected values: scipy.stats.qmc 1.10, Sobol(1024, scramble=False, bits=32) and Halton(1000, scramble=False).
TEST(LowDiscrepancy, SobolPointsAreSciPys) {
  constexpr Value expected[] = {{0, 0, 0.0},        {5, 0, 0.875},       {5, 1, 0.875},       {37, 2, 0.578125},
                                {37, 17, 0.421875}, {63, 100, 0.578125}, {50, 511, 0.953125}, {63, 1023, 0.515625}};

  const auto points = sobol_points(64, 1024);

  for (const Value& value : expected) EXPECT_EQ(points[value.point * 1024 + value.coordinate], value.value);
  EXPECT_EQ(std::accumulate(points.begin(), points.end(), 0.0), 32256.0);
}

TEST(LowDiscrepancy, HaltonPointsAreSciPys) {
  constexpr Value expected[] = {{0, 0, 0.0},
                                {1, 0, 0.5},
                                {5, 0, 0.625},
                                {5, 1, 0.7777777777777777},
                                {37, 2, 0.48800000000000004},
                                {37, 17, 0.6065573770491803},
                                {63, 999, 0.007955549943174644}};

  const auto points = halton_points(64, 1000);

  for (const Value& value : expected) EXPECT_NEAR(points[value.point * 1000 + value.coordinate], value.value, 1e-15);
  EXPECT_NEAR(std::accumulate(points.begin(), points.end(), 0.0), 2017.2391817796693, 1e-9);
}

TEST(LowDiscrepancy, APowerOfTwoOfSobolPointsFillsEveryStratumOfEveryAxis) {
  constexpr std::size_t count = 1024;
  constexpr std::size_t dimension = 30;

  const auto points = sobol_points(count, dimension);

  for (std::size_t d = 0; d < dimension; ++d) {
    std::vector<int> hits(count, 0);
    for (std::size_t i = 0; i < count; ++i) ++hits[static_cast<std::size_t>(points[i * dimension + d] * count)];
    EXPECT_EQ(std::count(hits.begin(), hits.end(), 1), static_cast<long>(count)) << d;
  }
}

TEST(LowDiscrepancy, PointsLieInTheHalfOpenUnitCubeForAnyCount) {
  for (const std::size_t count : {1U, 31U, 33U, 1000U}) {
    for (const auto& points : {sobol_points(count, 7), halton_points(count, 7)}) {
      ASSERT_EQ(points.size(), count * 7);
      EXPECT_TRUE(std::all_of(points.begin(), points.end(), [](double p) { return p >= 0 && p < 1; }));
    }
  }
}

TEST(LowDiscrepancy, MoreDimensionsThanTheDirectionNumbersServeAreRefusedWithTheNumber) {
  try {
    (void)sobol_points(4, 1025);
    FAIL() << "1025 dimensions were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
    EXPECT_NE(std::string(error.what()).find("at most 1024 free parameters, and there are 1025"), std::string::npos);
  }
}

}  // namespace
}  // namespace atl::de
