#include "store/de_result.hpp"

#include <type_traits>

#include "base/version.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

constexpr std::int64_t format_version = 1;

void write_outcome(MemoryFile& file, const DeResult& result) {
  const auto flag = [&](const char* name, bool value) {
    file.attribute("/", name, static_cast<std::int64_t>(value ? 1 : 0));
  };
  file.attribute("/", "state", result.state);
  flag("success", result.success);
  flag("converged", result.converged);
  file.attribute("/", "message", result.message);
  file.attribute("/", "stop_reason", result.stop_reason);
  file.attribute("/", "nit", result.nit);
  file.attribute("/", "nfev", result.nfev);
  file.attribute("/", "polish_nfev", result.polish_nfev);
  file.attribute("/", "fun_before_polish", result.fun_before_polish);
  file.attribute("/", "nan_evaluations", result.nan_evaluations);
  file.attribute("/", "inf_evaluations", result.inf_evaluations);
}

void write_best(MemoryFile& file, const DeResult& result) {
  const Shape dimension{result.dimension};
  file.write("/x", result.x, dimension);
  file.attribute("/x", "names", result.names);
  file.write("/fun", std::span(&result.fun, 1), {});
  file.write("/parameters/name", result.names);
  file.write("/parameters/min", result.min, dimension);
  file.write("/parameters/max", result.max, dimension);
  file.write("/parameters/scale", result.scale);
  file.write("/parameters/integer", result.integer, dimension);
  file.write("/parameters/fixed", result.fixed, dimension);
  file.write("/parameters/at_bound", result.at_bound, dimension);
}

void write_islands(MemoryFile& file, const DeResult& result) {
  const hsize_t islands = result.islands;
  file.write("/islands/population", result.population, {islands, result.members, result.dimension});
  file.write("/islands/population_energies", result.population_energies, {islands, result.members});
  file.write("/islands/population_size", result.population_size, {islands});
  file.write("/islands/x", result.island_x, {islands, result.dimension});
  file.write("/islands/fun", result.island_fun, {islands});
  file.write("/islands/nfev", result.island_nfev, {islands});
  file.write("/islands/value_to_reach_nfev", result.value_to_reach_nfev, {islands});
}

void write_history(MemoryFile& file, const DeResult& result) {
  const hsize_t rows = result.history_generation.size();
  file.write("/history/generation", result.history_generation, {rows});
  file.write("/history/evaluations", result.history_evaluations, {rows});
  file.write("/history/seconds", result.history_seconds, {rows});
  file.write("/history/best", result.history_best, {rows});
  file.write("/history/mean", result.history_mean, {rows});
  file.write("/history/std", result.history_std, {rows});
  file.write("/history/island_best", result.history_island_best, {rows, result.islands});
}

void write_migrations(MemoryFile& file, const DeResult& result) {
  const hsize_t rows = result.migration_generation.size();
  file.group("/migrations");
  file.attribute("/migrations", "accepted", result.migrations_accepted);
  file.attribute("/migrations", "listed", static_cast<std::int64_t>(rows));
  file.write("/migrations/generation", result.migration_generation, {rows});
  file.write("/migrations/source", result.migration_source, {rows});
  file.write("/migrations/destination", result.migration_destination, {rows});
  file.write("/migrations/energy", result.migration_energy, {rows});
  if (!result.migration_x.empty()) file.write("/migrations/x", result.migration_x, {rows, result.dimension});
}

void write_fit(MemoryFile& file, const DeResult& result) {
  const auto rows = [](const std::vector<double>& values) { return Shape{values.size()}; };
  if (!result.fit_predicted.empty()) {
    file.write("/fit/predicted", result.fit_predicted, rows(result.fit_predicted));
    file.write("/fit/residual", result.fit_residual, rows(result.fit_predicted));
  }
  if (!result.fit_term.empty()) file.write("/fit/term", result.fit_term, rows(result.fit_term));
  if (result.r_squared || result.rmse) file.group("/fit");
  if (result.r_squared) file.attribute("/fit", "r_squared", *result.r_squared);
  if (result.rmse) file.attribute("/fit", "rmse", *result.rmse);
}

void write_devices(MemoryFile& file, const std::vector<DeviceRow>& devices) {
  const auto column = [&](auto member) {
    std::vector<std::decay_t<decltype(devices.front().*member)>> values;
    values.reserve(devices.size());
    for (const DeviceRow& device : devices) values.push_back(device.*member);
    return values;
  };
  const Shape rows{devices.size()};
  file.write("/devices/rank", column(&DeviceRow::rank), rows);
  file.write("/devices/host", column(&DeviceRow::host));
  file.write("/devices/name", column(&DeviceRow::name));
  file.write("/devices/id", column(&DeviceRow::id));
  file.write("/devices/driver", column(&DeviceRow::driver));
  file.write("/devices/evaluations", column(&DeviceRow::evaluations), rows);
  file.write("/devices/busy_seconds", column(&DeviceRow::busy_seconds), rows);
}

std::vector<std::byte> image_of(const DeResult& result) {
  MemoryFile file;
  file.attribute("/", "format", std::string("atoll-de"));
  file.attribute("/", "format_version", format_version);
  write_outcome(file, result);
  write_provenance(file, result.provenance);
  file.attribute("/", "identity", result.identity);
  write_best(file, result);
  write_islands(file, result);
  write_history(file, result);
  write_migrations(file, result);
  write_fit(file, result);
  write_devices(file, result.devices);
  return file.bytes();
}

}  // namespace

void write_provenance(MemoryFile& file, const Provenance& provenance) {
  file.attribute("/", "atoll_version", std::string(version()));
  file.attribute("/", "git_hash", std::string(git_hash()));
  file.attribute("/", "config", provenance.config);
  file.attribute("/", "command_line", provenance.command_line);
  file.attribute("/", "seed", provenance.seed);
  file.attribute("/", "mpi", provenance.mpi);
  file.attribute("/", "hdf5", provenance.hdf5);
  file.attribute("/", "ranks", provenance.ranks);
  file.attribute("/", "started", provenance.started);
  file.attribute("/", "finished", provenance.finished);
  file.attribute("/", "seconds", provenance.seconds);
  if (provenance.slurm_job_id.empty()) return;
  file.attribute("/", "slurm_job_id", provenance.slurm_job_id);
  file.attribute("/", "slurm_restarts", provenance.slurm_restarts);
}

void write_de_result(const DeResult& result, const std::string& path) {
  write_atomically(path, image_of(result));
}

}  // namespace atl::store
