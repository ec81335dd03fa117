// A whole search: islands on every rank's device, migration, stopping, polish, the result on rank 0.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "config/de_settings.hpp"
#include "de/plan.hpp"
#include "de/problem.hpp"
#include "device/opencl.hpp"
#include "store/checkpoint.hpp"
#include "store/de_result.hpp"

namespace atl::de {

struct Progress {
  double seconds = 0;            // since the search began
  std::int64_t evaluations = 0;  // of the whole job
  std::int64_t generation = 0;
  double best = 0;
  double share_done = 0;  // of the budget, 0..1
};

struct RunOptions {
  std::string command_line;
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
  std::optional<double> max_seconds;                  // --max-time, wall clock since process_start
  std::optional<char> shape;                          // 'A' or 'B' forces a kernel shape
  std::optional<store::CheckpointPaths> checkpoints;  // where the search is saved; none: nowhere
  double checkpoint_seconds = 600;                    // --checkpoint-every
  bool keep_checkpoint = false;                       // --keep-checkpoint
  bool resumes = false;                               // the same on all ranks
  std::shared_ptr<const store::DeCheckpoint> resume;  // rank 0 of a run that resumes
  std::function<void(const Progress&)> progress;      // called on rank 0 between slices
  std::function<void(const std::string&)> note;       // called on rank 0 with what --verbose tells
  std::function<void(const std::string&)> warning;    // called on the rank that has something to say
};

struct RunOutcome {
  ExitCode code = ExitCode::done;  // done, no_usable_point or stopped; the same on all ranks
  store::DeResult result;          // rank 0 only
  std::string checkpoint_fault;    // rank 0: why the last checkpoint of a stopped run is not on the disk
};

/// Runs the search. Collective. Installs the signal handlers. Does not write the file.
[[nodiscard]] RunOutcome run(const config::LoadedDe& loaded, const Problem& problem, const RunOptions& options,
                             const device::Device& device, const cluster::Communicator& communicator);

/// One evaluation at x on the device: the value and, for sums over rows, each row's part.
struct Evaluation {
  double fun = 0;
  std::vector<double> parts;  // empty when the objective is not a sum over rows
};
[[nodiscard]] Evaluation evaluate_on_device(const config::LoadedDe& loaded, const Problem& problem,
                                            const std::vector<double>& x, const device::Device& device);

}  // namespace atl::de
