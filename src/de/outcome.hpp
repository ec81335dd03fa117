// From the last generation to the result file's content: gather the islands, find the best, polish it, fit the data.
#pragma once
#include "de/engine.hpp"
#include "de/migration.hpp"
#include "de/run.hpp"
#include "de/search.hpp"

namespace atl::de {

/// The best member of the job.
struct Best {
  std::int64_t island = 0;
  std::vector<double> u;
  double energy = 0;  // as the device saw it
};

/// Everything the ranks hold, on rank 0: populations, counters, migrations, devices. Collective.
void gather_islands(store::DeResult& result, Engine* engine, const Problem& problem, std::int64_t islands,
                    const Searched& searched, const MigrationLog& log, const device::Device& device,
                    const cluster::Communicator& communicator, Best& best);

/// fun at the best point again, polish, fit, parameters; rank 0 only.
void finish_point(store::DeResult& result, const Best& best, const Problem& problem, const config::DeSettings& settings,
                  Engine& engine, bool interrupted, const std::function<void(const std::string&)>& warning);

}  // namespace atl::de
