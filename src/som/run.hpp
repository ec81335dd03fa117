// A sweep from its plan to its finished file, on all ranks.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cluster/communicator.hpp"
#include "som/deal_run.hpp"
#include "som/sweep.hpp"
#include "store/som_summary.hpp"

namespace atl::som {

struct Progress {
  double seconds = 0;     // since training began
  std::int64_t maps = 0;  // finished in this leg
  std::int64_t finished = 0, total = 0;
  double share_done = 0, share_at_start = 0;  // of the work of the sweep, 0..1
};

struct RunOptions {
  std::string output;  // FILE.h5
  bool resume = false, force = false;
  std::optional<double> max_seconds;  // wall clock since process_start
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
  store::Provenance provenance;                     // what the command line knows: libraries, command, start
  std::function<void(const Progress&)> progress;    // rank 0, between launches
  std::function<void(const std::string&)> message;  // rank 0: what is worth a line on stderr
  std::size_t batch_maps = SIZE_MAX;                // at most, for tests of the splitting
};

struct RunOutcome {
  ExitCode code = ExitCode::done;  // done or stopped, the same on all ranks
  bool already_finished = false;   // --resume found a finished result
  std::string stop_reason;
  std::int64_t trained = 0, kept = 0, total = 0;  // rank 0: maps of this leg, of earlier ones, of the sweep
  store::SomSummary summary;                      // rank 0, when done
  store::SomSuggestions suggestions;
};

enum class Earlier { none, unfinished, finished };

/// What earlier legs left behind for --resume. Errors: 74 for an unfinished sweep beside neither --resume nor --force,
/// 78 for a finished result of another sweep, naming the differences. Rank 0 calls it.
[[nodiscard]] Earlier find_earlier(const Sweep& sweep, const RunOptions& options);

/// Collective. `train` and `device` belong to this rank. Errors of any rank are thrown on all.
[[nodiscard]] RunOutcome run(const Sweep& sweep, const RunOptions& options, const TrainMaps& train,
                             const RankDevice& device, const cluster::Communicator& communicator);

/// Runs `work` on every rank; when any rank fails, all throw the error of the lowest that did. Collective.
void together(const cluster::Communicator& communicator, const std::function<void()>& work);

}  // namespace atl::som
