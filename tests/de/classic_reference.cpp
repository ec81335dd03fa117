#include "de/classic_reference.hpp"

namespace atl::de::reference {
namespace {

using enum config::Strategy;

std::size_t donors_of(config::Strategy strategy) {
  switch (strategy) {
    case best1bin:
    case best1exp:
    case currenttobest1bin:
    case currenttobest1exp:
      return 2;
    case rand1bin:
    case rand1exp:
    case randtobest1bin:
    case randtobest1exp:
      return 3;
    case best2bin:
    case best2exp:
      return 4;
    case rand2bin:
    case rand2exp:
      return 5;
  }
  return 0;
}

bool exponential(config::Strategy strategy) {
  switch (strategy) {
    case best1exp:
    case currenttobest1exp:
    case rand1exp:
    case randtobest1exp:
    case best2exp:
    case rand2exp:
      return true;
    default:
      return false;
  }
}

/// Donors distinct from each other and from the target; word j gives the j-th.
std::vector<const Point*> draw_donors(const Island& island, std::size_t target, std::size_t count, const Words& vary) {
  std::vector<std::uint32_t> taken(count + 1);
  taken[0] = static_cast<std::uint32_t>(target);
  std::vector<const Point*> donors;
  for (std::size_t j = 0; j < count; ++j) {
    const auto members = static_cast<std::uint32_t>(island.population.size());
    donors.push_back(&island.population[draws64::distinct(vary[j], members, taken.data(), static_cast<int>(j))]);
  }
  return donors;
}

double mutated(config::Strategy strategy, double x, double best, const std::vector<double>& r, double f) {
  switch (strategy) {
    case best1bin:
    case best1exp:
      return best + f * (r[0] - r[1]);
    case rand1bin:
    case rand1exp:
      return r[0] + f * (r[1] - r[2]);
    case best2bin:
    case best2exp:
      return best + f * (r[0] + r[1] - r[2] - r[3]);
    case rand2bin:
    case rand2exp:
      return r[0] + f * (r[1] + r[2] - r[3] - r[4]);
    case currenttobest1bin:
    case currenttobest1exp:
      return x + f * (best - x + r[0] - r[1]);
    case randtobest1bin:
    case randtobest1exp:
      return r[0] + f * (best - r[0] + r[1] - r[2]);
  }
  return x;
}

/// Which genes come from the donor vector.
std::vector<bool> crossing_genes(const Classic& settings, std::size_t dimension, const Words& vary) {
  const std::size_t donors = donors_of(settings.strategy);
  const std::size_t first = donors + 1;
  const std::size_t start_gene = draws64::bounded(vary[donors], static_cast<std::uint32_t>(dimension));
  std::vector<bool> genes(dimension, false);
  genes[start_gene] = true;
  if (exponential(settings.strategy)) {
    for (std::size_t behind = 1; behind < dimension; ++behind) {
      if (!crosses(vary, first, behind, settings.crossover_probability)) break;
      genes[(start_gene + behind) % dimension] = true;
    }
  } else {
    for (std::size_t k = 0; k < dimension; ++k)
      if (crosses(vary, first, k, settings.crossover_probability)) genes[k] = true;
  }
  return genes;
}

Point make_trial(const Island& island, const Classic& settings, std::size_t target, const Point& best, double f) {
  const Words vary(island, draws64::DRAW_VARY, static_cast<std::int64_t>(target), island.generation + 1);
  const auto donors = draw_donors(island, target, donors_of(settings.strategy), vary);
  const Point& parent = island.population[target];
  const auto genes = crossing_genes(settings, parent.size(), vary);
  Point trial = parent;
  for (std::size_t k = 0; k < parent.size(); ++k) {
    if (!genes[k]) continue;
    std::vector<double> r;
    r.reserve(donors.size());
    for (const Point* donor : donors) r.push_back((*donor)[k]);
    const double gene = mutated(settings.strategy, parent[k], best[k], r, f);
    trial[k] = repaired(island, settings.bounds, gene, parent[k], k, target);
  }
  return trial;
}

/// The differential weight of a generation: a pair is drawn from once for all its members.
double dithered(const Island& island, const Classic& settings) {
  const auto [low, high] = settings.differential_weight;
  const Words words(island, draws64::DRAW_DITHER, 0, island.generation + 1);
  return low + draws64::uniform(words[0]) * (high - low);
}

}  // namespace

void evolve(Island& island, const Classic& settings, const Objective& objective) {
  const Point best = island.population[ranking(island.energies).front()];  // at the start of the generation
  const double f = dithered(island, settings);
  std::vector<Point> trials;
  for (std::size_t target = 0; target < trials_due(island); ++target)
    trials.push_back(make_trial(island, settings, target, best, f));
  survive(island, trials, evaluate(island, trials, objective));
  island.generation += 1;
}

}  // namespace atl::de::reference
