#include "de/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cluster/gather.hpp"
#include "de/host_objective.hpp"
#include "de/polish.hpp"
#include "de/rules.hpp"

namespace atl::de {
namespace {

using draws64::ranks_before;

std::vector<double> slice(const std::vector<double>& values, std::size_t first, std::size_t count) {
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

void append(std::vector<double>& to, const std::vector<double>& values) {
  to.insert(to.end(), values.begin(), values.end());
}

/// Populations in the user's units, each island's best member, and the best of all.
void fill_populations(store::DeResult& result, const std::vector<double>& points, const std::vector<double>& energies,
                      const Problem& problem, std::size_t members, Best& best) {
  const std::size_t free = problem.free();
  result.population_energies = energies;
  result.members = members;
  for (std::size_t i = 0; i < result.islands; ++i) {
    std::size_t winner = i * members;
    for (std::size_t row = i * members; row < (i + 1) * members; ++row) {
      append(result.population, decode(problem, slice(points, row * free, free)));
      if (ranks_before(energies[row], energies[winner])) winner = row;
    }
    append(result.island_x, decode(problem, slice(points, winner * free, free)));
    result.island_fun.push_back(energies[winner]);
    result.population_size.push_back(static_cast<std::int64_t>(members));
    if (i == 0 || ranks_before(energies[winner], best.energy))
      best = {static_cast<std::int64_t>(i), slice(points, winner * free, free), energies[winner]};
  }
}

void fill_counters(store::DeResult& result, const std::vector<IslandCounters>& counters, const Searched& searched) {
  for (const IslandCounters& island : counters) {
    result.nan_evaluations += island.nan;
    result.inf_evaluations += island.inf;
    result.island_nfev.push_back(searched.evaluations);
    result.value_to_reach_nfev.push_back(island.value_to_reach_nfev);
    result.nfev += searched.evaluations;
  }
  result.nit = searched.generation;
}

void fill_history(store::DeResult& result, const History& history) {
  result.history_generation = history.generation;
  result.history_evaluations = history.evaluations;
  result.history_seconds = history.seconds;
  result.history_best = history.best;
  result.history_mean = history.mean;
  result.history_std = history.std;
  result.history_island_best = history.island_best;
}

/// The ranks' logs become one in the order (generation, destination, arrival).
void gather_migrations(store::DeResult& result, const MigrationLog& log, const Problem& problem,
                       const cluster::Communicator& communicator) {
  const auto generation = cluster::gather_values(log.generation, communicator);
  const auto source = cluster::gather_values(log.source, communicator);
  const auto destination = cluster::gather_values(log.destination, communicator);
  const auto energy = cluster::gather_values(log.energy, communicator);
  const auto points = cluster::gather_values(log.points, communicator);
  result.migrations_accepted = communicator.sum(log.accepted);
  std::vector<std::size_t> order(generation.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return generation[a] < generation[b] || (generation[a] == generation[b] && destination[a] < destination[b]);
  });
  if (order.size() > MigrationLog::longest) order.resize(MigrationLog::longest);
  for (const std::size_t i : order) {
    result.migration_generation.push_back(generation[i]);
    result.migration_source.push_back(source[i]);
    result.migration_destination.push_back(destination[i]);
    result.migration_energy.push_back(energy[i]);
    if (!points.empty()) append(result.migration_x, decode(problem, slice(points, i * problem.free(), problem.free())));
  }
}

void gather_devices(store::DeResult& result, const device::Device& device, std::int64_t evaluations, double busy,
                    const cluster::Communicator& communicator) {
  const auto hosts = communicator.gather_all(communicator.host());
  const auto names = communicator.gather_all(device.info.name);
  const auto ids = communicator.gather_all(device.info.id);
  const auto drivers = communicator.gather_all(device.info.driver);
  const auto counts = cluster::gather_values(std::vector<std::int64_t>{evaluations}, communicator);
  const auto seconds = cluster::gather_values(std::vector<double>{busy}, communicator);
  for (std::size_t rank = 0; rank < counts.size(); ++rank)
    result.devices.push_back({static_cast<std::int64_t>(rank), hosts[rank], names[rank], ids[rank], drivers[rank],
                              counts[rank], seconds[rank]});
}

/// Within a millionth of the box as it is searched, where a search that ran against the wall ends.
bool is_at_bound(const Entry& entry, double x) {
  const auto searched = [&](double value) { return entry.log_scale ? std::log(value) : value; };
  const double least = searched(entry.min), most = searched(entry.max), near = 1e-6 * (most - least);
  return searched(x) <= least + near || searched(x) >= most - near;
}

void fill_parameters(store::DeResult& result, const Problem& problem) {
  result.dimension = problem.dimension();
  for (std::size_t i = 0; i < problem.dimension(); ++i) {
    const Entry& entry = problem.entries[i];
    result.names.push_back(entry.name);
    result.min.push_back(entry.min);
    result.max.push_back(entry.max);
    result.scale.emplace_back(entry.log_scale ? "log" : "linear");
    result.integer.push_back(entry.integer ? 1 : 0);
    result.fixed.push_back(entry.fixed ? 1 : 0);
    const bool at_bound = !entry.fixed && is_at_bound(entry, result.x[i]);
    result.at_bound.push_back(at_bound ? 1 : 0);
  }
}

void fill_fit(store::DeResult& result, const Problem& problem, Engine& engine, const std::vector<double>& u) {
  if (problem.kind == config::ProblemKind::objective) {
    result.fit_term = engine.row_parts(u);
    return;
  }
  if (problem.kind != config::ProblemKind::model) return;
  result.fit_predicted = predict(problem, result.x);
  const auto target = problem.table->column(problem.target);
  double mean = 0, squares = 0, total = 0;
  for (const double y : target) mean += y / static_cast<double>(target.size());
  for (std::size_t row = 0; row < target.size(); ++row) {
    const double residual = target[row] - result.fit_predicted[row];
    result.fit_residual.push_back(residual);
    squares += residual * residual;
    total += (target[row] - mean) * (target[row] - mean);
  }
  result.rmse = std::sqrt(squares / static_cast<double>(target.size()));
  if (total > 0) result.r_squared = 1 - squares / total;
}

/// Says when the host's value is not what the kernels saw: a noisy objective, or a miscompiled kernel.
void compare(double device_energy, double again, bool single, const std::function<void(const std::string&)>& warning) {
  if (!warning || device_energy == again || (std::isnan(device_energy) && std::isnan(again))) return;
  const double allowed = (single ? 1e-3 : 1e-9) * (1 + std::fabs(again));
  if (std::fabs(device_energy - again) <= allowed) return;
  warning(fmt::format(
      "the best energy was {:.17g} during the search and is {:.17g} when evaluated again at the same x: the "
      "objective is noisy, or loses digits there (atoll devices --self-test checks the kernels)",
      device_energy, again));
}

}  // namespace

void gather_islands(store::DeResult& result, Engine* engine, const Problem& problem, std::int64_t islands,
                    const Searched& searched, const MigrationLog& log, const device::Device& device,
                    const cluster::Communicator& communicator, Best& best) {
  const Populations mine = engine != nullptr ? engine->download() : Populations{};
  const auto my_counters = engine != nullptr ? engine->counters() : std::vector<IslandCounters>{};
  const auto points = cluster::gather_values(mine.points, communicator);
  const auto energies = cluster::gather_values(mine.energies, communicator);
  const auto counters = cluster::gather_values(my_counters, communicator);
  gather_migrations(result, log, problem, communicator);
  gather_devices(result, device, searched.evaluations * static_cast<std::int64_t>(my_counters.size()),
                 engine != nullptr ? engine->busy_seconds() : 0, communicator);
  if (!communicator.root()) return;
  result.islands = static_cast<std::size_t>(islands);
  fill_populations(result, points, energies, problem, static_cast<std::size_t>(mine.members), best);
  fill_counters(result, counters, searched);
  fill_history(result, searched.history);
}

void finish_point(store::DeResult& result, const Best& best, const Problem& problem, const config::DeSettings& settings,
                  Engine& engine, bool interrupted, const std::function<void(const std::string&)>& warning) {
  const HostObjective host = host_objective(problem);
  const auto value = [&](const std::vector<double>& u) {
    return host ? host(decode(problem, u)) : engine.evaluate(u).front();
  };
  std::vector<double> u = best.u;
  result.fun = value(u);
  result.fun_before_polish = result.fun;
  compare(best.energy, result.fun, settings.run.precision == config::Precision::real32, warning);
  if (settings.run.polish && !interrupted && std::isfinite(result.fun) && problem.free() > 0) {
    const Polished polished = polish(problem, u, result.fun, value);
    u = polished.u;
    result.fun = polished.fun;
    result.polish_nfev = polished.evaluations;
  }
  result.x = decode(problem, u);
  if (host) result.fun = host(result.x);
  fill_parameters(result, problem);
  fill_fit(result, problem, engine, u);
}

}  // namespace atl::de
