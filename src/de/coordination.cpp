#include "de/coordination.hpp"

#include <cstring>

namespace atl::de {

std::vector<IslandStatistics> gather_statistics(const std::vector<IslandStatistics>& mine,
                                                const cluster::Communicator& communicator) {
  if (communicator.size() == 1) return mine;
  std::vector<std::byte> bytes(mine.size() * sizeof(IslandStatistics));
  if (!bytes.empty()) std::memcpy(bytes.data(), mine.data(), bytes.size());
  std::vector<IslandStatistics> all;
  for (const auto& part : communicator.gather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + part.size() / sizeof(IslandStatistics));
    if (!part.empty()) std::memcpy(all.data() + before, part.data(), part.size());
  }
  return all;
}

StopReason agree(StopReason decision_of_root, const cluster::Communicator& communicator) {
  if (communicator.size() == 1) return decision_of_root;
  const StopReason mine = communicator.root() ? decision_of_root : StopReason::none;
  return static_cast<StopReason>(communicator.max(static_cast<std::int64_t>(mine)));
}

StopReason Interruptions::agree(const cluster::Communicator& communicator) const {
  StopReason mine = StopReason::none;
  if (seconds_left_of_search <= 0) mine = StopReason::time;
  if (seconds_left_of_run <= 0) mine = StopReason::max_time;
  if (signal) mine = StopReason::signal;
  if (communicator.size() == 1) return mine;
  // One number says it all: max_time and signal stand behind the deciding reasons, time before them.
  const std::int64_t rank_of_reason = mine == StopReason::signal     ? 3
                                      : mine == StopReason::max_time ? 2
                                      : mine == StopReason::time     ? 1
                                                                     : 0;
  constexpr StopReason reasons[] = {StopReason::none, StopReason::time, StopReason::max_time, StopReason::signal};
  return reasons[communicator.max(rank_of_reason)];
}

}  // namespace atl::de
