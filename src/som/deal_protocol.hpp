// What the ranks of a sweep say to each other; used by deal_root.cpp and deal_worker.cpp only.
#pragma once
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cluster/mailbox.hpp"
#include "som/deal_run.hpp"

namespace atl::som {

enum Tag : int {
  tag_want = 1,    // worker: room for one more batch; the seconds of the batch that made the room, -1 at the start
  tag_result = 2,  // worker: trained maps, a packed SomBatch
  tag_stop = 3,    // worker: why it wants all to stop; rank 0: stop
  tag_failed = 4,  // worker: exit code and message of its error
  tag_left = 5,    // worker: its last message; its busy seconds
  tag_batch = 6,   // rank 0: positions in DealtWork
  tag_end = 7,     // rank 0: there will be no further batch
  tag_bye = 8      // rank 0, answering tag_left: its last message to this worker
};

template <typename T>
[[nodiscard]] std::vector<std::byte> bytes_of(const T* values, std::size_t count) {
  std::vector<std::byte> bytes(count * sizeof(T));
  if (count > 0) std::memcpy(bytes.data(), values, bytes.size());
  return bytes;
}

template <typename T>
[[nodiscard]] std::vector<T> values_of(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

[[nodiscard]] inline std::vector<std::byte> bytes_of(const std::string& text) {
  return bytes_of(text.data(), text.size());
}

[[nodiscard]] inline std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Seconds on a clock that never jumps.
[[nodiscard]] inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Between two looks into an empty mailbox.
constexpr std::chrono::microseconds idle_pause(500);

/// Large messages move only while both sides look. A rank with nothing else to do looks all the time while it sends;
/// rank 0, which trains between its looks, stays at one while parts of what has begun to arrive come in, and this long
/// beyond, in seconds.
constexpr double arrival_patience = 0.01;
constexpr std::size_t part_bytes = std::size_t{1} << 18;

/// Maps that were trained and are on their way to rank 0: many small ones go together.
class Outbox {
 public:
  Outbox(const DealtWork& work, const DealHooks& hooks, int rank, std::function<void(store::SomBatch&&)> send)
      : work_(work), hooks_(hooks), rank_(rank), send_(std::move(send)) {}
  void add(std::size_t position, TrainedMap&& map);
  void flush();

 private:
  const DealtWork& work_;
  const DealHooks& hooks_;
  int rank_;
  std::function<void(store::SomBatch&&)> send_;
  store::SomBatch batch_;
  double since_ = 0;
};

/// Trains the maps at `positions`; false when `stop` ended it.
bool train_positions(const DealtWork& work, const DealHooks& hooks, const std::vector<std::int64_t>& positions,
                     Outbox& outbox, const std::function<bool()>& stop);

struct RankAbility {
  std::size_t width = 1;
  double speed = 1;
};

/// Rank 0's part, and that of the others. `failure` is what went wrong anywhere.
[[nodiscard]] DealOutcome run_root(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks,
                                   const std::vector<RankAbility>& abilities, std::optional<Error>& failure);
void run_worker(cluster::Mailbox& mailbox, const DealtWork& work, const DealHooks& hooks);

}  // namespace atl::som
