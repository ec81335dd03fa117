#include "de/coordination.hpp"

#include "cluster/gather.hpp"

namespace atl::de {

std::vector<IslandStatistics> gather_statistics(const std::vector<IslandStatistics>& mine,
                                                const cluster::Communicator& communicator) {
  return cluster::gather_values(mine, communicator);
}

StopReason agree(StopReason decision_of_root, const cluster::Communicator& communicator) {
  if (communicator.size() == 1) return decision_of_root;
  const StopReason mine = communicator.root() ? decision_of_root : StopReason::none;
  return static_cast<StopReason>(communicator.max(static_cast<std::int64_t>(mine)));
}

Agreed Interruptions::agree(const cluster::Communicator& communicator) const {
  // One number says it all, so that one reduction is enough.
  constexpr Agreed matters[] = {{StopReason::none, false},
                                {StopReason::none, true},
                                {StopReason::time, false},
                                {StopReason::max_time, false},
                                {StopReason::signal, false}};
  std::int64_t mine = 0;
  if (checkpoint) mine = 1;
  if (seconds_left_of_search <= 0) mine = 2;
  if (seconds_left_of_run <= 0) mine = 3;
  if (signal) mine = 4;
  return matters[communicator.size() == 1 ? mine : communicator.max(mine)];
}

}  // namespace atl::de
