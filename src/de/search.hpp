// The search loop: generations in slices, reports and migration at fixed generations, until something stops it.
#pragma once
#include <memory>

#include "de/coordination.hpp"
#include "de/engine.hpp"
#include "de/history.hpp"
#include "de/migration.hpp"
#include "de/run.hpp"

namespace atl::de {

/// What a search leaves: the engine with its last generation, and what was seen on the way.
struct Searched {
  StopReason reason = StopReason::none;
  std::int64_t generation = 0;
  std::int64_t evaluations = 0;  // of an island
  History history;               // rows on rank 0 only
  double seconds = 0;
};

/// Runs until a stop reason. `engine` is null on a rank without islands. Collective.
[[nodiscard]] Searched search(Engine* engine, const config::DeSettings& settings, const IslandPlan& plan,
                              std::int64_t islands, Migration& migration, const RunOptions& options,
                              double work_a_generation, const cluster::Communicator& communicator);

/// The next generation after `generation` at which ranks report: multiples of the interval and exchanges.
[[nodiscard]] std::int64_t next_report(const config::MigrationSettings& settings, const config::StopSettings& stop,
                                       std::int64_t generation);

}  // namespace atl::de
