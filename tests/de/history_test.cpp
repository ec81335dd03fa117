#include "de/history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace atl::de {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::vector<IslandStatistics> one(double best) {
  return {{best, best, 0, 1, 0}};
}

TEST(History, ARowPoolsTheFiniteEnergiesOfAllIslands) {
  History history(3);
  // {1, 3}, {5, 5, 5, 9} and an island without any number
  const double third = std::sqrt(3.0);

  history.add(7, 42, 0.5, {{1, 2, 1, 2, 0}, {5, 6, third, 4, 3}, {not_a_number, not_a_number, not_a_number, 0, 0}});

  ASSERT_EQ(history.rows(), 1);
  EXPECT_EQ(history.generation[0], 7);
  EXPECT_EQ(history.evaluations[0], 42);
  EXPECT_EQ(history.seconds[0], 0.5);
  EXPECT_EQ(history.best[0], 1);
  EXPECT_NEAR(history.mean[0], 28.0 / 6, 1e-14);
  EXPECT_NEAR(history.std[0], std::sqrt((1 + 9 + 3 * 25 + 81) / 6.0 - (28.0 / 6) * (28.0 / 6)), 1e-14);
  ASSERT_EQ(history.island_best.size(), 3);
  EXPECT_EQ(history.island_best[1], 5);
  EXPECT_TRUE(std::isnan(history.island_best[2]));
}

TEST(History, TheBestIsANumberWheneverOneIslandHasOne) {
  History history(3);

  history.add(0, 1, 0, {{not_a_number, 0, 0, 0, 0}, {infinity, 0, 0, 0, 0}, {4, 4, 0, 1, 0}});
  history.add(1, 2, 0, {{not_a_number, 0, 0, 0, 0}, {infinity, 0, 0, 0, 0}, {not_a_number, 0, 0, 0, 0}});

  EXPECT_EQ(history.best[0], 4);
  EXPECT_EQ(history.best[1], infinity);
  EXPECT_TRUE(std::isnan(history.mean[1]));
  EXPECT_TRUE(std::isnan(history.std[1]));
}

TEST(History, ASecondRowOfAGenerationReplacesTheFirst) {
  History history(1);
  history.add(0, 10, 0, one(5));
  history.add(50, 100, 1, one(4));

  history.add(50, 100, 2, one(4));

  EXPECT_EQ(history.generation, (std::vector<std::int64_t>{0, 50}));
  EXPECT_EQ(history.seconds, (std::vector<double>{0, 2}));
  EXPECT_EQ(history.island_best, (std::vector<double>{5, 4}));
}

TEST(History, ALongSearchIsThinnedEvenlyAndKeepsItsEnds) {
  for (const std::int64_t rows : {9'999LL, 10'000LL, 10'001LL, 25'000LL, 123'457LL}) {
    History history(1);
    for (std::int64_t row = 0; row < rows; ++row)
      history.add(10 * row, 100 * row, static_cast<double>(row), one(static_cast<double>(-row)));

    ASSERT_LE(history.rows(), 10'000U) << rows;
    EXPECT_GE(history.rows(), std::min<std::size_t>(4'999, static_cast<std::size_t>(rows))) << rows;
    EXPECT_EQ(history.generation.front(), 0) << rows;
    EXPECT_EQ(history.generation.back(), 10 * (rows - 1)) << rows;
    const std::int64_t step = history.generation[1];
    for (std::size_t at = 1; at + 1 < history.rows(); ++at)
      ASSERT_EQ(history.generation[at], static_cast<std::int64_t>(at) * step) << rows;
    for (const auto* column : {&history.seconds, &history.best, &history.mean, &history.std, &history.island_best})
      EXPECT_EQ(column->size(), history.rows());
    for (std::size_t at = 0; at < history.rows(); ++at) {
      ASSERT_EQ(history.island_best[at], -static_cast<double>(history.generation[at]) / 10);
      ASSERT_EQ(history.evaluations[at], 10 * history.generation[at]);
    }
  }
}

TEST(History, ManyIslandsShortenIt) {
  constexpr std::int64_t islands = 1'000'000;
  const std::vector<IslandStatistics> all(islands, IslandStatistics{1, 1, 0, 1, 0});
  History history(islands);

  for (std::int64_t row = 0; row < 140; ++row) history.add(row, row, 0, all);

  EXPECT_LE(history.island_best.size(), 64'000'000U);
  EXPECT_EQ(history.generation.back(), 139);
}

}  // namespace
}  // namespace atl::de
