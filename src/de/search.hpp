// The search loop: generations in slices, reports and migration at fixed generations, until something stops it.
#pragma once
#include <functional>
#include <limits>
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

/// What a search needs, beside its islands and its migrations, to go on where another one stopped.
struct SearchState {
  std::int64_t generation = 0;
  std::int64_t members = 0, evaluations = 0;  // of an island
  double seconds = 0;                         // of search so far
  History history;                            // rank 0 only, as is
  StoppingState stopping;
};

enum class SaveFor {
  a_crash,   // the search goes on
  resuming,  // it stops here
  extending  // it comes to its planned end: a later end can be had from here
};

/// When and how a search is saved. `save` is called on all ranks at the same generation.
struct Saving {
  double every = std::numeric_limits<double>::infinity();  // seconds
  bool keep = false;                                       // also for extending
  std::function<bool()> ready;                             // rank 0: the one before is on the disk
  std::function<void(const SearchState&, SaveFor)> save;
};

/// Runs until a stop reason. `engine` is null on a rank without islands; it holds generation 0, or that of `start` if
/// one is given. Collective.
[[nodiscard]] Searched search(Engine* engine, const config::DeSettings& settings, const IslandPlan& plan,
                              std::int64_t islands, Migration& migration, const RunOptions& options,
                              double work_a_generation, const cluster::Communicator& communicator,
                              const SearchState* start = nullptr, const Saving& saving = {});

/// The next generation after `generation` at which ranks report: multiples of the interval and exchanges.
[[nodiscard]] std::int64_t next_report(const config::MigrationSettings& settings, const config::StopSettings& stop,
                                       std::int64_t generation);

}  // namespace atl::de
