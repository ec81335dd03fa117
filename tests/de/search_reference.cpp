#include "de/search_reference.hpp"

#include <algorithm>

#include "de/low_discrepancy.hpp"

namespace atl::de::reference {
namespace {

std::variant<Classic, Jso> algorithm_of(const config::AlgorithmSettings& settings, const IslandPlan& plan) {
  if (settings.name == config::AlgorithmName::classic)
    return Classic{settings.strategy, settings.bounds, settings.differential_weight, settings.crossover_probability};
  Jso jso;
  jso.bounds = settings.bounds;
  jso.schedule = plan.schedule;
  jso.first_population = static_cast<std::size_t>(plan.members);
  return jso;
}

/// Islands that send to `to`.
bool sends(config::Topology topology, std::int64_t from, std::int64_t to, std::int64_t islands) {
  const bool forward = (from + 1) % islands == to, backward = (to + 1) % islands == from;
  switch (topology) {
    case config::Topology::unconnected:
      return false;
    case config::Topology::ring:
      return from != to && forward;
    case config::Topology::bidirectional_ring:
      return from != to && (forward || backward);
    case config::Topology::complete:
      return from != to;
  }
  return false;
}

struct Candidate {
  std::int64_t source;
  double energy;
  Point point;
};

std::size_t worst_member(const std::vector<double>& energies) {
  std::size_t worst = 0;
  for (std::size_t m = 1; m < energies.size(); ++m)
    if (better(energies[worst], energies[m])) worst = m;
  return worst;
}

}  // namespace

Search::Search(const Problem& problem, const config::DeSettings& settings, const IslandPlan& plan, Objective objective,
               std::int64_t first_island, std::int64_t number, std::vector<double> given)
    : problem_(problem), settings_(settings), plan_(plan), objective_(std::move(objective)), given_(std::move(given)) {
  for (std::int64_t i = 0; i < number; ++i) {
    SearchedIsland searched{{}, algorithm_of(settings.algorithm, plan)};
    searched.island.seed = settings.run.seed;
    searched.island.id = static_cast<std::uint32_t>(first_island + i);
    searched.island.box = {problem.lower, problem.upper};
    searched.island.budget = plan.evaluations;
    if (settings.stop.value_to_reach) searched.island.value_to_reach = *settings.stop.value_to_reach;
    islands.push_back(std::move(searched));
  }
}

std::vector<Point> Search::first_members(const Island& island) const {
  const auto members = static_cast<std::size_t>(plan_.members);
  switch (settings_.algorithm.initial) {
    case config::Initial::latin_hypercube:
      return latin_hypercube(island, members);
    case config::Initial::sobol:
      return shifted(island, sobol_points(members, problem_.free()), members);
    case config::Initial::halton:
      return shifted(island, halton_points(members, problem_.free()), members);
    case config::Initial::uniform:
    case config::Initial::file:
      return uniform_members(island, members);
  }
  return {};
}

void Search::initialize() {
  for (std::size_t i = 0; i < islands.size(); ++i) {
    Island& island = islands[i].island;
    std::vector<Point> members = first_members(island);
    const std::size_t values = members.size() * problem_.free();
    if (!given_.empty())
      for (std::size_t at = 0; at < values; ++at)
        members[at / problem_.free()][at % problem_.free()] = given_[i * values + at];
    if (island.id == 0)
      for (const Entry& entry : problem_.entries)
        if (entry.start && !entry.fixed)
          members[0][static_cast<std::size_t>(entry.free_index)] =
              entry.log_scale ? std::log(*entry.start) : *entry.start;
    start(island, std::move(members), objective_);
  }
}

void Search::advance(std::int64_t generations) {
  for (std::int64_t generation = 0; generation < generations; ++generation)
    for (SearchedIsland& searched : islands)
      std::visit([&](auto& algorithm) { evolve(searched.island, algorithm, objective_); }, searched.algorithm);
}

bool Search::exhausted() const {
  return islands.front().island.evaluations >= islands.front().island.budget;
}

std::vector<std::size_t> emigrants(const Island& island, config::Selection selection, std::size_t count) {
  if (selection == config::Selection::best) {
    auto order = ranking(island.energies);
    order.resize(count);
    return order;
  }
  // Selection sampling (Knuth, TAOCP 2, algorithm S): member m leaves with chance (still needed) / (still there).
  const Words words(island, draws64::DRAW_EMIGRATE, 0, island.generation);
  std::vector<std::size_t> chosen;
  for (std::size_t m = 0; m < island.population.size(); ++m) {
    const auto there = static_cast<std::uint32_t>(island.population.size() - m);
    if (draws64::bounded(words[m], there) < count - chosen.size()) chosen.push_back(m);
  }
  return chosen;
}

std::vector<Migrant> Search::migrate() {
  const config::MigrationSettings& migration = settings_.migration;
  const auto number = static_cast<std::int64_t>(islands.size());
  std::vector<std::vector<Candidate>> leaving;  // all of them before any arrives
  for (const SearchedIsland& searched : islands) {
    leaving.emplace_back();
    for (const std::size_t m :
         emigrants(searched.island, migration.selection, static_cast<std::size_t>(plan_.migrants)))
      leaving.back().push_back({searched.island.id, searched.island.energies[m], searched.island.population[m]});
  }
  std::vector<Migrant> accepted;
  for (std::int64_t to = 0; to < number; ++to) {
    Island& island = islands[static_cast<std::size_t>(to)].island;
    // A complete topology numbers the candidates of all islands, its own among them, which do not move.
    std::vector<Candidate> candidates;
    for (std::int64_t from = 0; from < number; ++from)
      if (sends(migration.topology, from, to, number) || migration.topology == config::Topology::complete)
        for (const Candidate& candidate : leaving[static_cast<std::size_t>(from)]) candidates.push_back(candidate);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return better(a.energy, b.energy); });
    const Words words(island, draws64::DRAW_IMMIGRATE, 0, island.generation);
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      const Candidate& candidate = candidates[c];
      if (candidate.source == to) continue;
      const std::size_t leaves = migration.replacement == config::Replacement::random
                                     ? draws64::bounded(words[c], static_cast<std::uint32_t>(island.population.size()))
                                     : worst_member(island.energies);
      if (migration.replacement == config::Replacement::worst_if_better &&
          !better(candidate.energy, island.energies[leaves]))
        continue;
      island.population[leaves] = candidate.point;
      island.energies[leaves] = candidate.energy;
      accepted.push_back({island.generation, candidate.source, to, candidate.energy, candidate.point});
    }
  }
  return accepted;
}

}  // namespace atl::de::reference
