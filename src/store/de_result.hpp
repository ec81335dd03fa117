// The result of `atoll de` as plain data, and its HDF5 layout.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/hdf5.hpp"

namespace atl::store {

/// What a file says about the run that made it; shared by all result formats.
struct Provenance {
  std::string config;  // effective TOML
  std::string command_line;
  std::string mpi, hdf5;  // library versions
  std::int64_t ranks = 1;
  std::string started, finished;  // ISO 8601, UTC
  double seconds = 0;             // wall clock from start of the process to the writing of this file
  std::uint64_t seed = 0;
  std::string slurm_job_id;  // empty outside Slurm
  std::int64_t slurm_restarts = 0;
};

struct DeviceRow {
  std::int64_t rank = 0;
  std::string host, name, id, driver;
  std::int64_t evaluations = 0;
  double busy_seconds = 0;
};

struct DeResult {
  Provenance provenance;
  std::string identity;            // lines "key = value": which search this is, and when it ends
  std::string state = "finished";  // or "stopped"
  bool success = false, converged = false;
  std::string message, stop_reason;
  std::int64_t nit = 0, nfev = 0, polish_nfev = 0;
  double fun_before_polish = 0;
  std::int64_t nan_evaluations = 0, inf_evaluations = 0;

  std::size_t dimension = 0;       // D: all entries, fixed ones too
  std::vector<std::string> names;  // D
  std::vector<double> x;           // D
  double fun = 0;
  std::vector<double> min, max;                        // D, as the user wrote them
  std::vector<std::string> scale;                      // D: "linear", "log"
  std::vector<std::uint8_t> integer, fixed, at_bound;  // D

  std::size_t islands = 0, members = 0;                        // I, NP (largest current size)
  std::vector<double> population;                              // I * NP * D, NaN beyond an island's size
  std::vector<double> population_energies;                     // I * NP
  std::vector<std::int64_t> population_size;                   // I
  std::vector<double> island_x, island_fun;                    // I * D, I
  std::vector<std::int64_t> island_nfev, value_to_reach_nfev;  // I; -1: never reached

  std::vector<std::int64_t> history_generation, history_evaluations;             // T; evaluations of the whole job
  std::vector<double> history_seconds, history_best, history_mean, history_std;  // T, over all members of all islands
  std::vector<double> history_island_best;                                       // T * I

  std::vector<std::int64_t> migration_generation, migration_source, migration_destination;
  std::vector<double> migration_energy, migration_x;  // x: rows of D, empty for D > 64
  std::int64_t migrations_accepted = 0;               // all of them, also beyond the first million that are listed

  std::vector<double> fit_predicted, fit_residual;  // rows of the table; `model` only
  std::vector<double> fit_term;                     // rows; objective files of the `term` form
  std::optional<double> r_squared, rmse;

  std::vector<DeviceRow> devices;
};

/// Attributes of "/" that every result format has.
void write_provenance(MemoryFile& file, const Provenance& provenance);

/// Builds the file in memory and writes it atomically. Throws 74; sizes that contradict each other are our fault (70).
void write_de_result(const DeResult& result, const std::string& path);

}  // namespace atl::store
