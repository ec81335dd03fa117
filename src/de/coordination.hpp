// How the ranks of a search agree: every rank reports its islands, rank 0 decides, all hear it.
#pragma once
#include <cstdint>
#include <vector>

#include "cluster/communicator.hpp"
#include "de/engine.hpp"
#include "de/stopping.hpp"

namespace atl::de {

/// Statistics of all islands of the job on rank 0, in order; empty elsewhere. Collective.
[[nodiscard]] std::vector<IslandStatistics> gather_statistics(const std::vector<IslandStatistics>& mine,
                                                              const cluster::Communicator& communicator);

/// Rank 0's decision on every rank. Collective.
[[nodiscard]] StopReason agree(StopReason decision_of_root, const cluster::Communicator& communicator);

/// What all ranks do between launches: go on, save a checkpoint, or stop.
struct Agreed {
  StopReason reason = StopReason::none;  // signal, max_time, time or none
  bool checkpoint = false;               // due by the clock; only without a reason
};

/// The clock and the signals, asked by all ranks between launches. Rank-local until agreed.
struct Interruptions {
  double seconds_left_of_run = 0;     // --max-time; infinity without
  double seconds_left_of_search = 0;  // stop.time; infinity without
  bool signal = false;
  bool checkpoint = false;

  /// The most pressing matter of any rank: signal, max_time, time, checkpoint, none. Collective.
  [[nodiscard]] Agreed agree(const cluster::Communicator& communicator) const;
};

}  // namespace atl::de
