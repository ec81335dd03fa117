// Differential evolution of Storn and Price (1997) with SciPy's twelve strategies, one island, one member after the
// other.
#pragma once
#include <array>

#include "de/island_reference.hpp"

namespace atl::de::reference {

struct Classic {
  config::Strategy strategy = config::Strategy::best1bin;
  config::Bounds bounds = config::Bounds::resample;
  std::array<double, 2> differential_weight = {0.5, 1.0};
  double crossover_probability = 0.7;
};

/// One generation, or what the budget has left of it.
void evolve(Island& island, const Classic& settings, const Objective& objective);

}  // namespace atl::de::reference
