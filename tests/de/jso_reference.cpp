#include "de/jso_reference.hpp"

#include <algorithm>
#include <cmath>

namespace atl::de::reference {
namespace {

/// What a member's trial is made with.
struct Parameters {
  double f = 0, cr = 0;
};

Parameters draw_parameters(const Island& island, const Jso& state, std::size_t member, double r) {
  const auto m = static_cast<std::int64_t>(member);
  const Words vary(island, draws64::DRAW_VARY, m, island.generation + 1);
  const Words words(island, draws64::DRAW_PARAMETERS, m, island.generation + 1);
  const std::size_t slot = draws64::bounded(vary[0], Jso::slots);
  const bool constant = slot == Jso::slots - 1;
  const double mean_f = constant ? 0.9 : state.memory_f[slot];
  const double mean_cr = constant ? 0.9 : state.memory_cr[slot];

  Parameters drawn;
  drawn.cr = mean_cr < 0 ? 0 : std::clamp(mean_cr + 0.1 * draws64::normal(words[0], words[1]), 0.0, 1.0);
  if (r < 0.25)
    drawn.cr = std::max(drawn.cr, 0.7);
  else if (r < 0.5)
    drawn.cr = std::max(drawn.cr, 0.6);

  for (std::size_t attempt = 2; drawn.f <= 0; ++attempt) drawn.f = mean_f + 0.1 * draws64::cauchy(words[attempt]);
  drawn.f = std::min(drawn.f, 1.0);
  if (r < 0.6) drawn.f = std::min(drawn.f, 0.7);
  return drawn;
}

/// One of the best p NP members; in the first half of the schedule never the target itself, whose place in the pool is
/// then taken by the pool's last.
const Point& draw_pbest(const Island& island, std::size_t target, double r, std::uint32_t word) {
  const auto members = static_cast<double>(island.population.size());
  const double p = 0.25 * (1 - 0.5 * r);
  const auto size = static_cast<std::size_t>(std::max(2L, std::lround(p * members)));
  std::vector<std::size_t> pool = ranking(island.energies);
  pool.resize(std::min(size, pool.size()));
  if (r < 0.5) {
    const auto own = std::find(pool.begin(), pool.end(), target);
    if (own != pool.end()) {
      *own = pool.back();
      pool.pop_back();
    }
  }
  return island.population[pool[draws64::bounded(word, static_cast<std::uint32_t>(pool.size()))]];
}

/// An index into the population and, behind it, the archive.
const Point& drawn_point(const Island& island, const Jso& state, std::size_t index) {
  const std::size_t members = island.population.size();
  return index < members ? island.population[index] : state.archive[index - members];
}

Point make_trial(const Island& island, const Jso& state, std::size_t target, double r, const Parameters& drawn) {
  const Words vary(island, draws64::DRAW_VARY, static_cast<std::int64_t>(target), island.generation + 1);
  const auto i = static_cast<std::uint32_t>(target);
  const auto members = static_cast<std::uint32_t>(island.population.size());
  const auto all = static_cast<std::uint32_t>(members + state.archive.size());
  const Point& parent = island.population[target];
  const Point& pbest = draw_pbest(island, target, r, vary[1]);
  const std::uint32_t r1 = draws64::bounded_without(vary[2], members, i);
  const std::uint32_t r2 = draws64::bounded_without2(vary[3], all, i, r1);
  const Point& first = island.population[r1];
  const Point& second = drawn_point(island, state, r2);
  const std::size_t start_gene = draws64::bounded(vary[4], static_cast<std::uint32_t>(parent.size()));
  const double weighted = (r < 0.2 ? 0.7 : r < 0.4 ? 0.8 : 1.2) * drawn.f;

  Point trial = parent;
  for (std::size_t k = 0; k < parent.size(); ++k) {
    if (k != start_gene && !crosses(vary, 5, k, drawn.cr)) continue;
    const double gene = parent[k] + weighted * (pbest[k] - parent[k]) + drawn.f * (first[k] - second[k]);
    trial[k] = repaired(island, state.bounds, gene, parent[k], k, target);
  }
  return trial;
}

std::vector<Success> find_successes(const Island& island, const std::vector<double>& trial_energies,
                                    const std::vector<Parameters>& drawn) {
  std::vector<Success> successes;
  for (std::size_t m = 0; m < trial_energies.size(); ++m)
    if (better(trial_energies[m], island.energies[m]))
      successes.push_back({drawn[m].f, drawn[m].cr, island.energies[m] - trial_energies[m], m});
  return successes;
}

/// The archive holds as many as the population; a full one loses a random slot. Unused at a capacity of one or less.
void keep_parents(const Island& island, Jso& state, const std::vector<Success>& successes) {
  const std::size_t capacity = island.population.size();
  if (capacity <= 1) return;
  for (const Success& success : successes) {
    const Point& parent = island.population[success.member];
    const Words words(island, draws64::DRAW_ARCHIVE, static_cast<std::int64_t>(success.member), island.generation + 1);
    if (state.archive.size() < capacity)
      state.archive.push_back(parent);
    else
      state.archive[draws64::bounded(words[0], static_cast<std::uint32_t>(capacity))] = parent;
  }
}

void move_memory(Jso& state, const std::vector<Success>& successes) {
  if (successes.empty()) return;
  double largest_cr = 0;
  for (const Success& success : successes) largest_cr = std::max(largest_cr, success.cr);
  const double mean_f = lehmer_mean(successes, &Success::f);
  const double mean_cr = largest_cr == 0 ? -1 : lehmer_mean(successes, &Success::cr);
  state.memory_f[state.position] = (mean_f + state.memory_f[state.position]) / 2;
  state.memory_cr[state.position] = (mean_cr + state.memory_cr[state.position]) / 2;
  state.position = (state.position + 1) % Jso::slots;
}

/// The worst leave one at a time, the lowest index among equals; the others keep their order.
void shrink(Island& island, Jso& state) {
  const std::size_t wanted = scheduled_population(state.first_population, island.evaluations, state.schedule);
  while (island.population.size() > wanted) {
    std::size_t worst = 0;
    for (std::size_t m = 1; m < island.energies.size(); ++m)
      if (better(island.energies[worst], island.energies[m])) worst = m;
    island.population.erase(island.population.begin() + static_cast<std::ptrdiff_t>(worst));
    island.energies.erase(island.energies.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  if (state.archive.size() > island.population.size()) state.archive.resize(island.population.size());
}

double striped_sum(const std::vector<Success>& successes, const std::function<double(std::size_t)>& term) {
  std::array<double, 32> stripes{};
  for (std::size_t s = 0; s < successes.size(); ++s) stripes[successes[s].member % 32] += term(s);
  for (std::size_t half = 16; half > 0; half /= 2)
    for (std::size_t stripe = 0; stripe < half; ++stripe) stripes[stripe] += stripes[stripe + half];
  return stripes[0];
}

}  // namespace

std::vector<double> weights(const std::vector<Success>& successes) {
  double largest = 0;
  for (const Success& success : successes)
    if (std::isfinite(success.gain)) largest = std::max(largest, success.gain);
  if (largest == 0) largest = 1;
  std::vector<double> result;
  result.reserve(successes.size());
  for (const Success& success : successes) result.push_back(std::isfinite(success.gain) ? success.gain / largest : 1.0);
  return result;
}

double lehmer_mean(const std::vector<Success>& successes, double Success::*value) {
  const std::vector<double> w = weights(successes);
  const double squares =
      striped_sum(successes, [&](std::size_t s) { return w[s] * (successes[s].*value) * (successes[s].*value); });
  const double plain = striped_sum(successes, [&](std::size_t s) { return w[s] * (successes[s].*value); });
  return squares / plain;
}

std::size_t scheduled_population(std::size_t first, std::int64_t evaluations, std::int64_t schedule) {
  // Exact: members is the largest n >= 4 with n - 1/2 <= first + (4 - first) evaluations / schedule.
  const auto start = static_cast<std::int64_t>(first);
  const std::int64_t twice = 2 * (start * schedule + (4 - start) * evaluations);  // of the value times the schedule
  std::int64_t members = start;
  while (members > 4 && (2 * members - 1) * schedule > twice) --members;
  return static_cast<std::size_t>(members);
}

void evolve(Island& island, Jso& state, const Objective& objective) {
  const double r = std::min(1.0, static_cast<double>(island.evaluations) / static_cast<double>(state.schedule));
  std::vector<Point> trials;
  std::vector<Parameters> drawn;
  for (std::size_t target = 0; target < trials_due(island); ++target) {
    drawn.push_back(draw_parameters(island, state, target, r));
    trials.push_back(make_trial(island, state, target, r, drawn.back()));
  }
  const std::vector<double> trial_energies = evaluate(island, trials, objective);
  const std::vector<Success> successes = find_successes(island, trial_energies, drawn);
  keep_parents(island, state, successes);
  survive(island, trials, trial_energies);
  move_memory(state, successes);
  shrink(island, state);
  island.generation += 1;
}

}  // namespace atl::de::reference
