// Facts of the papers, shown of the serial reference; the engine equals it bit for bit.
#include "de/jso_reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace atl::de::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double sphere(const Point& u) {
  double sum = 0;
  for (const double x : u) sum += x * x;
  return sum;
}

Island island_of(std::size_t dimension, std::size_t members, std::int64_t budget, const Objective& objective) {
  Island island;
  island.box = {Point(dimension, -5), Point(dimension, 5)};
  island.budget = budget;
  start(island, latin_hypercube(island, members), objective);
  return island;
}

Jso jso_of(const Island& island) {
  Jso jso;
  jso.schedule = island.budget;
  jso.first_population = island.population.size();
  return jso;
}

TEST(JsoReference, TheLehmerMeanOfTwoEqualWeights) {
  const std::vector<Success> successes = {{0.5, 0.2, 3, 0}, {0.5, 0.8, 3, 1}};

  EXPECT_DOUBLE_EQ(lehmer_mean(successes, &Success::cr), 0.68);  // (0.04 + 0.64) / (0.2 + 0.8)
  EXPECT_DOUBLE_EQ(lehmer_mean(successes, &Success::f), 0.5);
}

TEST(JsoReference, AGainThatIsNoNumberCountsAsTheLargestFiniteOne) {
  EXPECT_EQ(weights({{0, 0, 1, 0}, {0, 0, nan, 1}, {0, 0, 4, 2}, {0, 0, infinity, 3}}),
            (std::vector<double>{0.25, 1, 1, 1}));
  EXPECT_EQ(weights({{0, 0, nan, 0}, {0, 0, infinity, 1}}), (std::vector<double>{1, 1}));
}

TEST(JsoReference, MemoryMovesAfterAGenerationWithSuccessesAndOnlyThen) {
  Island island = island_of(3, 30, 3000, sphere);
  Jso jso = jso_of(island);
  evolve(island, jso, sphere);
  EXPECT_NE(jso.memory_f[0], 0.3);
  EXPECT_NE(jso.memory_cr[0], 0.8);
  EXPECT_EQ(jso.position, 1);
  EXPECT_EQ(jso.memory_f[1], 0.3);

  Island flat = island_of(3, 30, 3000, [](const Point&) { return 1.0; });
  Jso still = jso_of(flat);
  evolve(flat, still, [](const Point&) { return 1.0; });  // every trial survives, none is a success
  EXPECT_EQ(still.position, 0);
  EXPECT_EQ(still.memory_f, Jso().memory_f);
  EXPECT_TRUE(still.archive.empty());
}

TEST(JsoReference, SuccessesMoveTheMemoryTowardsBetterParameters) {
  Island island = island_of(10, 60, 20'000, sphere);
  Jso jso = jso_of(island);
  while (island.evaluations < island.budget / 2) evolve(island, jso, sphere);

  for (std::size_t slot = 0; slot + 1 < Jso::slots; ++slot) {
    EXPECT_NE(jso.memory_f[slot], 0.3);
    EXPECT_GT(jso.memory_cr[slot], 0.6);  // the floor of CR in the first half
  }
}

TEST(JsoReference, ThePopulationFallsToFourAndTheBudgetIsUsedExactly) {
  std::size_t evaluated = 0;
  const Objective counting = [&](const Point& u) {
    ++evaluated;
    return sphere(u);
  };
  Island island = island_of(4, 72, 5000, counting);
  Jso jso = jso_of(island);
  std::size_t before = 72;
  while (island.evaluations < island.budget) {
    evolve(island, jso, counting);
    EXPECT_LE(island.population.size(), before);
    EXPECT_LE(jso.archive.size(), island.population.size());
    before = island.population.size();
  }

  EXPECT_EQ(island.population.size(), 4);
  EXPECT_EQ(evaluated, 5000);
  EXPECT_LT(*std::min_element(island.energies.begin(), island.energies.end()), 1e-4);
}

TEST(JsoReference, ANumberBeatsInfinityAndInfinityBeatsNan) {
  Island island = island_of(2, 4, 1000, sphere);
  island.energies = {nan, infinity, nan, 3};

  EXPECT_EQ(ranking(island.energies), (std::vector<std::size_t>{3, 1, 0, 2}));
  survive(island, std::vector<Point>(4, Point(2, 1)), {infinity, nan, 7, nan});
  EXPECT_EQ(island.energies[0], infinity);
  EXPECT_EQ(island.energies[1], infinity);
  EXPECT_EQ(island.energies[2], 7);
  EXPECT_EQ(island.energies[3], 3);
}

}  // namespace
}  // namespace atl::de::reference
