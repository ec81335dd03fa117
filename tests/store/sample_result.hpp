// A small DE result with every part filled: 3 parameters (one fixed), 2 islands of up to 4 members, 5 rows of data.
#pragma once
#include <limits>
#include <vector>

#include "store/de_result.hpp"

namespace atl::test {

inline store::DeResult sample_result() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  store::DeResult result;
  result.provenance = {.config = "[problem]\nmodel = \"a*x + b\"\n",
                       .command_line = "atoll de line.toml",
                       .mpi = "Open MPI v4.1.4",
                       .hdf5 = store::hdf5_version(),
                       .ranks = 2,
                       .started = "2024-05-01T10:00:00Z",
                       .finished = "2024-05-01T10:00:02Z",
                       .seconds = 2.25,
                       .seed = std::numeric_limits<std::uint64_t>::max(),
                       .slurm_job_id = "",
                       .slurm_restarts = 0};
  result.success = true;
  result.message = "budget of 40 evaluations an island used";
  result.stop_reason = "evaluations";
  result.nit = 10;
  result.nfev = 80;
  result.polish_nfev = 12;
  result.fun_before_polish = 0.75;
  result.nan_evaluations = 3;
  result.dimension = 3;
  result.names = {"a", "b", "c"};
  result.x = {1.0, 20.0, 3.5};
  result.fun = 0.5;
  result.min = {-20, -20, 3.5};
  result.max = {20, 20, 3.5};
  result.scale = {"linear", "linear", "linear"};
  result.integer = {0, 0, 0};
  result.fixed = {0, 0, 1};
  result.at_bound = {0, 1, 0};
  result.islands = 2;
  result.members = 4;
  result.population.assign(result.islands * result.members * result.dimension, 1.0);
  result.population_energies = {0.75, 1, 2, 3, 0.8, 1, 2, nan};
  result.population_size = {4, 3};
  result.island_x = {1, 20, 3.5, 1.1, 19, 3.5};
  result.island_fun = {0.75, 0.8};
  result.island_nfev = {40, 40};
  result.value_to_reach_nfev = {-1, -1};
  result.history_generation = {0, 5, 10};
  result.history_evaluations = {8, 40, 80};
  result.history_seconds = {0.1, 0.2, 0.3};
  result.history_best = {9, 2, 0.75};
  result.history_mean = {20, 5, 2};
  result.history_std = {10, 3, 1};
  result.history_island_best = {9, 10, 2, 3, 0.75, 0.8};
  result.migration_generation = {5};
  result.migration_source = {0};
  result.migration_destination = {1};
  result.migration_energy = {2};
  result.migration_x = {1, 20, 3.5};
  result.migrations_accepted = 7;
  result.fit_predicted = {1, 2, 3, 4, 5};
  result.fit_residual = {0.1, -0.1, 0.2, -0.2, 0};
  result.r_squared = 0.99;
  result.rmse = 0.14;
  result.devices = {{.rank = 0,
                     .host = "node1",
                     .name = "pthread-cpu",
                     .id = "0/0",
                     .driver = "3.1",
                     .evaluations = 80,
                     .busy_seconds = 0.25}};
  return result;
}

}  // namespace atl::test
