// Going on where a checkpoint stands: whether it belongs to this problem, and its islands dealt to the ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "config/de_settings.hpp"
#include "de/checkpoint_islands.hpp"
#include "de/migration.hpp"
#include "de/problem.hpp"
#include "de/search.hpp"
#include "store/checkpoint.hpp"

namespace atl::de {

/// What must be the same to go on, as lines "key = value": the problem with the content of its files, algorithm,
/// islands, migration, seed and precision. Not stop, paths, devices, ranks. `schedule` and `islands` are those of the
/// run, whether they were given or found by a rule.
[[nodiscard]] std::string search_identity(const config::LoadedDe& loaded, const Problem& problem, std::int64_t schedule,
                                          std::int64_t islands);

/// The same, and when the search ends: stop.* and run.polish.
[[nodiscard]] std::string result_identity(const config::LoadedDe& loaded, const Problem& problem, std::int64_t schedule,
                                          std::int64_t islands);

/// Error 78 that names every difference when a checkpoint or result of this identity, at `path`, belongs to another
/// search. A schedule or a number of islands that was left to the program is what it was.
void check_same_search(const std::string& identity, const std::string& path, const config::LoadedDe& loaded,
                       const Problem& problem);

/// What differs of stop.* and run.polish from a result of this identity: "stop.evaluations: was 1000, is 2000".
[[nodiscard]] std::vector<std::string> changes_of_the_end(const std::string& identity, const config::LoadedDe& loaded,
                                                          const Problem& problem);

/// Gives every rank its islands out of rank 0's checkpoint. Collective.
[[nodiscard]] IslandStates deal_islands(const store::DeCheckpoint* checkpoint, std::int64_t islands,
                                        const cluster::Communicator& communicator);

/// For a value to reach that is another than when the islands were saved: those above it have not reached it.
void forget_other_value_to_reach(IslandStates& islands, std::optional<double> value, bool single);

/// The state of the search on every rank; history only on rank 0. Collective.
[[nodiscard]] SearchState deal_state(const store::DeCheckpoint* checkpoint, std::int64_t islands,
                                     const cluster::Communicator& communicator);

/// The migrations so far, for rank 0.
[[nodiscard]] MigrationLog migration_log(const store::DeCheckpoint& checkpoint);

}  // namespace atl::de
