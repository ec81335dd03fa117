#include "som/run.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <numeric>

#include "base/utc.hpp"
#include "cluster/signals.hpp"
#include "som/suggestion.hpp"
#include "som/summary.hpp"
#include "store/hdf5.hpp"
#include "store/som_create.hpp"
#include "store/som_file.hpp"

namespace atl::som {
namespace {

namespace fs = std::filesystem;

// Results travel and wait in memory; a batch of more than this is cut.
constexpr std::uint64_t batch_bytes = std::uint64_t{64} << 20;

// A device trains a batch as one, so this much is lost at most by a kill, where the width of the device allows.
constexpr double batch_seconds = 1;

std::string partial_of(const std::string& output) {
  return output + ".partial";
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string signal_name(int signal) {
  switch (signal) {
    case 2:
      return "SIGINT";
    case 10:
      return "SIGUSR1";
    case 12:
      return "SIGUSR2";
    case 15:
      return "SIGTERM";
    default:
      return fmt::format("signal {}", signal);
  }
}

/// "": go on.
std::string stop_reason(const RunOptions& options) {
  if (const int signal = cluster::signal_received(); signal != 0) return signal_name(signal);
  if (options.max_seconds && seconds_since(options.process_start) > *options.max_seconds) return "--max-time";
  return "";
}

/// Opens or lays out the partial file and says which maps are there. Rank 0.
store::SomFile open_file(const Sweep& sweep, const store::SomLayout& layout, const RunOptions& options) {
  const std::string partial = partial_of(options.output);
  if (options.force || find_earlier(sweep, options) != Earlier::unfinished) {
    if (options.resume && options.message)
      options.message(fmt::format("--resume: there is no {}; the sweep starts afresh", partial));
    return store::SomFile::create(partial, layout);
  }
  store::SomFile file = store::SomFile::reopen(partial, layout);
  if (file.damaged() > 0 && options.message)
    options.message(fmt::format("{}: {} damaged map{} will be trained again", partial, file.damaged(),
                                file.damaged() == 1 ? "" : "s"));
  return file;
}

/// The maps that are not finished, the same on all ranks.
DealtWork work_left(const Sweep& sweep, const store::SomLayout& layout, const std::vector<double>& costs,
                    const std::vector<std::byte>& finished, std::size_t batch_maps) {
  DealtWork work;
  work.limits.bytes = batch_bytes;
  work.limits.maps = batch_maps;
  work.limits.seconds = batch_seconds;
  const auto left = static_cast<std::size_t>(std::count(finished.begin(), finished.end(), std::byte{0}));
  work.maps.reserve(left);
  work.index.reserve(left);
  work.costs.reserve(left);
  work.bytes.reserve(left);
  for (std::size_t s = 0; s < sweep.plan.maps.size(); ++s) {
    if (finished[s] != std::byte{0}) continue;
    work.maps.push_back(sweep.plan.maps[s]);
    work.index.push_back(static_cast<std::int64_t>(s));
    work.costs.push_back(costs[s]);
    work.bytes.push_back(layout.map_bytes(s));
  }
  return work;
}

/// Says of a disk that refuses what becomes of the maps that it took.
void keep(store::SomFile& file, const store::SomBatch& batch, const std::string& output) try {
  file.write(batch);
} catch (const Error& error) {
  throw Error(error.code(),
              fmt::format("{}; the maps stored so far are kept in {}: where there is room again, the same "
                          "command with --resume trains the rest",
                          error.what(), partial_of(output)));
}

/// Follows what the ranks sent home. Rank 0.
class Tracker {
 public:
  /// `costs`: of all maps in sweep order.
  Tracker(const std::vector<double>& costs, const DealtWork& work, const RunOptions& options)
      : options_(options), cost_(costs), all_(std::accumulate(costs.begin(), costs.end(), 0.0)) {
    progress_.total = static_cast<std::int64_t>(costs.size());
    progress_.finished = progress_.total - static_cast<std::int64_t>(work.costs.size());
    done_ = std::accumulate(work.costs.begin(), work.costs.end(), all_, std::minus());
    progress_.share_at_start = done_ / all_;
  }
  /// On the thread that stores.
  void add(const store::SomBatch& batch) {
    const std::lock_guard lock(mutex_);
    for (const std::int64_t index : batch.index) done_ += cost_[static_cast<std::size_t>(index)];
    progress_.maps += static_cast<std::int64_t>(batch.index.size());
    progress_.finished += static_cast<std::int64_t>(batch.index.size());
  }
  void tick(double in_flight) {
    const std::lock_guard lock(mutex_);
    progress_.seconds = seconds_since(start_);
    // What was trained and is not stored yet is in neither.
    progress_.share_done = std::clamp((done_ + in_flight) / all_, progress_.share_done, 1.0);
    if (options_.progress) options_.progress(progress_);
  }
  /// When nothing is stored any more.
  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  const RunOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  const std::vector<double>& cost_;
  double all_, done_;
  Progress progress_;
};

}  // namespace

void together(const cluster::Communicator& communicator, const std::function<void()>& work) {
  std::string failure;
  try {
    work();
  } catch (const Error& error) {
    failure = fmt::format("{} {}", static_cast<int>(error.code()), error.what());
  } catch (const std::exception& error) {
    failure = fmt::format("{} {}", static_cast<int>(ExitCode::internal), error.what());
  }
  for (const std::string& text : communicator.gather_all(failure)) {
    if (text.empty()) continue;
    const std::size_t space = text.find(' ');
    throw Error(static_cast<ExitCode>(std::stoi(text.substr(0, space))), text.substr(space + 1));
  }
}

Earlier find_earlier(const Sweep& sweep, const RunOptions& options) {
  std::error_code ignored;
  const std::string partial = partial_of(options.output);
  if (options.force) return Earlier::none;
  if (fs::exists(partial, ignored)) {
    if (options.resume) return Earlier::unfinished;
    fail(ExitCode::cannot_write,
         "{} holds an unfinished sweep; --resume goes on with it, --force throws it away and begins afresh", partial);
  }
  if (!options.resume || !fs::exists(options.output, ignored)) return Earlier::none;
  const std::vector<std::string> changes = store::identity_changes(store::som_identity(options.output), sweep.identity);
  if (!changes.empty())
    fail(ExitCode::bad_configuration, "{} is the result of another sweep: {}; --force replaces it", options.output,
         fmt::join(changes, "; "));
  return Earlier::finished;
}

RunOutcome run(const Sweep& sweep, const RunOptions& options, const TrainMaps& train, const RankDevice& device,
               const cluster::Communicator& communicator) {
  store::SomLayout layout = layout_of(sweep);
  layout.provenance.command_line = options.provenance.command_line;
  store::Provenance provenance = options.provenance;
  provenance.ranks = communicator.size();
  provenance.config = layout.provenance.config;
  provenance.seed = layout.provenance.seed;
  layout.provenance = provenance;

  std::optional<store::SomFile> file;
  std::vector<std::byte> finished(layout.size());
  together(communicator, [&] {
    if (!communicator.root()) return;
    file.emplace(open_file(sweep, layout, options));
    for (std::size_t s = 0; s < finished.size(); ++s) finished[s] = std::byte{file->state()[s]};
  });
  communicator.broadcast(finished);
  const ScaledData& data = sweep.inputs.data;
  const std::vector<double> costs = costs_of(sweep.plan, data.rows, data.columns(), sweep.inputs.training);
  const DealtWork work = work_left(sweep, layout, costs, finished, options.batch_maps);
  RunOutcome outcome;
  outcome.total = static_cast<std::int64_t>(layout.size());
  outcome.kept = outcome.total - static_cast<std::int64_t>(work.maps.size());
  Tracker tracker(costs, work, options);

  DealHooks hooks;
  hooks.train = train;
  hooks.pack = [&](store::SomBatch& batch, std::int64_t index, TrainedMap&& map) {
    pack_map(layout, batch, index, map);
  };
  hooks.store = [&](const store::SomBatch& batch) {
    keep(*file, batch, options.output);
    tracker.add(batch);
  };
  hooks.stop_reason = [&] { return stop_reason(options); };
  hooks.tick = [&](double in_flight) { tracker.tick(in_flight); };
  hooks.device = device;
  const DealOutcome dealt = train_on_all_ranks(communicator, work, hooks);
  outcome.trained = tracker.progress().maps;
  // A signal that came with the last map changes nothing.
  const bool complete = communicator.max(outcome.kept + outcome.trained) == outcome.total;
  if (!complete) outcome.stop_reason = dealt.stop_reason;
  outcome.code = complete ? ExitCode::done : ExitCode::stopped;

  together(communicator, [&] {
    if (!communicator.root()) return;
    if (outcome.code == ExitCode::stopped) {
      file->flush();
      return;
    }
    outcome.summary = summarize(sweep.plan, file->measures());
    outcome.suggestions = suggestions_of(sweep.plan, outcome.summary);
    file->write(outcome.summary, outcome.suggestions);
    provenance.finished = utc_now();
    provenance.seconds = seconds_since(options.process_start);
    file->finish(options.output, provenance,
                 outcome.total == 1 ? "the map is trained" : fmt::format("all {} maps are trained", outcome.total));
  });
  return outcome;
}

}  // namespace atl::som
