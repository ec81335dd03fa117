// jSO (Brest, Maucec, Boskovic, CEC 2017), one island, one member after the other.
#pragma once
#include <array>

#include "de/island_reference.hpp"

namespace atl::de::reference {

struct Success {
  double f = 0, cr = 0;
  double gain = 0;  // f(x) - f(u); not finite when the parent's energy was not
  std::size_t member = 0;
};

struct Jso {
  static constexpr std::size_t slots = 5;
  config::Bounds bounds = config::Bounds::midpoint;
  std::int64_t schedule = 0;         // evaluations over which the population shrinks
  std::size_t first_population = 0;  // NP of generation 0
  std::array<double, slots> memory_f = {0.3, 0.3, 0.3, 0.3, 0.3};
  std::array<double, slots> memory_cr = {0.8, 0.8, 0.8, 0.8, 0.8};
  std::size_t position = 0;  // the slot that the next generation with successes moves
  std::vector<Point> archive;
};

/// One generation, or what the budget has left of it.
void evolve(Island& island, Jso& state, const Objective& objective);

/// Weights of the successes: gains over the largest one; a gain that is not finite counts as the largest finite one.
[[nodiscard]] std::vector<double> weights(const std::vector<Success>& successes);

/// sum w S^2 / sum w S. Sums go over the members in 32 stripes, member m in stripe m mod 32, which a halving tree adds.
[[nodiscard]] double lehmer_mean(const std::vector<Success>& successes, double Success::*value);

/// round(first + (4 - first) evaluations / schedule), half away from zero, at least 4.
[[nodiscard]] std::size_t scheduled_population(std::size_t first, std::int64_t evaluations, std::int64_t schedule);

}  // namespace atl::de::reference
