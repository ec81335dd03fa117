#include "de/island_reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace atl::de::reference {
namespace {

double random_place(const Words& words, std::size_t k) {
  return draws64::uniform_fine(words[2 * k], words[2 * k + 1]);
}

double in_box(const Box& box, std::size_t k, double share) {
  const double value = box.lower[k] + share * (box.upper[k] - box.lower[k]);
  return std::min(std::max(value, box.lower[k]), box.upper[k]);
}

void count(Island& island, double energy) {
  island.evaluations += 1;
  if (std::isnan(energy)) island.nan += 1;
  if (std::isinf(energy)) island.inf += 1;
  if (energy <= island.value_to_reach && island.value_to_reach_nfev < 0)
    island.value_to_reach_nfev = island.evaluations;
}

}  // namespace

bool better(double a, double b) {
  if (std::isnan(a)) return false;
  return std::isnan(b) || a < b;
}

std::vector<std::size_t> ranking(const std::vector<double>& energies) {
  std::vector<std::size_t> order(energies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return better(energies[a], energies[b]); });
  return order;
}

std::vector<Point> latin_hypercube(const Island& island, std::size_t members) {
  const std::size_t dimension = island.box.lower.size();
  std::vector<Point> population(members, Point(dimension));
  for (std::size_t k = 0; k < dimension; ++k) {
    std::vector<std::size_t> strata(members);
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    const Words shuffle(island, draws64::DRAW_SHUFFLE, static_cast<std::int64_t>(k), 0);
    for (std::size_t last = members - 1; last > 0; --last)
      std::swap(strata[last], strata[draws64::bounded(shuffle[last], static_cast<std::uint32_t>(last + 1))]);
    for (std::size_t m = 0; m < members; ++m) {
      const Words words(island, draws64::DRAW_INITIAL, static_cast<std::int64_t>(m), 0);
      const double share = (static_cast<double>(strata[m]) + random_place(words, k)) / static_cast<double>(members);
      population[m][k] = in_box(island.box, k, share);
    }
  }
  return population;
}

std::vector<Point> uniform_members(const Island& island, std::size_t members) {
  const std::size_t dimension = island.box.lower.size();
  std::vector<Point> population(members, Point(dimension));
  for (std::size_t m = 0; m < members; ++m) {
    const Words words(island, draws64::DRAW_INITIAL, static_cast<std::int64_t>(m), 0);
    for (std::size_t k = 0; k < dimension; ++k) population[m][k] = in_box(island.box, k, random_place(words, k));
  }
  return population;
}

std::vector<Point> shifted(const Island& island, const std::vector<double>& base_points, std::size_t members) {
  const std::size_t dimension = island.box.lower.size();
  const Words shift(island, draws64::DRAW_SHIFT, 0, 0);
  std::vector<Point> population(members, Point(dimension));
  for (std::size_t m = 0; m < members; ++m)
    for (std::size_t k = 0; k < dimension; ++k) {
      const double moved = base_points[m * dimension + k] + random_place(shift, k);
      population[m][k] = in_box(island.box, k, moved >= 1 ? moved - 1 : moved);
    }
  return population;
}

void start(Island& island, std::vector<Point> members, const Objective& objective) {
  island.population = std::move(members);
  island.energies.assign(island.population.size(), std::numeric_limits<double>::infinity());
  const std::size_t evaluated = trials_due(island);
  for (std::size_t m = 0; m < evaluated; ++m) {
    island.energies[m] = objective(island.population[m]);
    count(island, island.energies[m]);
  }
}

double repaired(const Island& island, config::Bounds rule, double gene, double parent, std::size_t k,
                std::size_t member) {
  const double lower = island.box.lower[k], upper = island.box.upper[k];
  if (gene >= lower && gene <= upper) return gene;
  const bool below = !(gene > upper);  // NaN too
  switch (rule) {
    case config::Bounds::midpoint:
      return below ? (lower + parent) / 2 : (upper + parent) / 2;
    case config::Bounds::clip:
      return below ? lower : upper;
    case config::Bounds::reflect: {
      const double mirrored = below ? lower + (lower - gene) : upper - (gene - upper);
      if (!(mirrored >= lower)) return lower;
      return std::min(mirrored, upper);
    }
    case config::Bounds::resample: {
      const Words words(island, draws64::DRAW_RESAMPLE, static_cast<std::int64_t>(member), island.generation + 1);
      return in_box(island.box, k, draws64::uniform(words[k]));
    }
  }
  return gene;
}

bool crosses(const Words& vary, std::size_t first, std::size_t k, double crossover_probability) {
  const std::uint32_t word = vary[first + k / 2];
  const std::uint32_t bits = k % 2 == 0 ? word % 65536 : word / 65536;
  return bits < crossover_probability * 65536;
}

std::vector<double> evaluate(Island& island, const std::vector<Point>& trials, const Objective& objective) {
  std::vector<double> energies;
  for (const Point& trial : trials) {
    energies.push_back(objective(trial));
    count(island, energies.back());
  }
  return energies;
}

void survive(Island& island, const std::vector<Point>& trials, const std::vector<double>& trial_energies) {
  for (std::size_t m = 0; m < trials.size(); ++m) {
    if (better(island.energies[m], trial_energies[m])) continue;
    island.population[m] = trials[m];
    island.energies[m] = trial_energies[m];
  }
}

std::size_t trials_due(const Island& island) {
  const auto left = static_cast<std::size_t>(island.budget - island.evaluations);
  return std::min(island.population.size(), left);
}

}  // namespace atl::de::reference
