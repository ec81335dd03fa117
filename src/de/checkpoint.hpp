// Saving a running search: the ranks' islands become one checkpoint on rank 0, which a thread writes while the devices
// go on.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cluster/communicator.hpp"
#include "de/engine.hpp"
#include "de/migration.hpp"
#include "de/search.hpp"
#include "store/checkpoint.hpp"

namespace atl::de {

/// The whole state on rank 0, in the order of the islands whatever ranks hold them; nothing elsewhere. `head` has
/// what stays the same in a run: identity, config, precision, sizes. Collective; `engine` is null on a rank without
/// islands.
[[nodiscard]] std::optional<store::DeCheckpoint> gather_checkpoint(const store::DeCheckpoint& head, Engine* engine,
                                                                   const SearchState& state, const MigrationLog& log,
                                                                   const cluster::Communicator& communicator);

/// Writes checkpoints in the background, one at a time. HDF5 belongs to the writer until wait() came back.
class CheckpointWriter {
 public:
  using Tell = std::function<void(const std::string&)>;
  /// From the caller's thread `warning` is told when a checkpoint could not be written, so that the one before stays,
  /// and `note` how long it took.
  CheckpointWriter(store::CheckpointPaths paths, Tell warning, Tell note);
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;
  ~CheckpointWriter();

  /// True when nothing is being written. Tells of a failure.
  [[nodiscard]] bool ready();
  void start(store::DeCheckpoint checkpoint);
  /// Until nothing is being written any more.
  void wait();
  /// At once, in this thread. Errors 74.
  void write_now(const store::DeCheckpoint& checkpoint);

 private:
  struct Job;
  store::CheckpointPaths paths_;
  Tell warning_, note_;
  std::unique_ptr<Job> job_;
};

}  // namespace atl::de
