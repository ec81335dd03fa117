#include "cli/de.hpp"

#include <memory>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "cli/agreement.hpp"
#include "cli/de_dry_run.hpp"
#include "cli/de_earlier.hpp"
#include "cli/de_report.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rank_device.hpp"
#include "cli/watchdog.hpp"
#include "cluster/signals.hpp"
#include "config/de_settings.hpp"
#include "de/host_objective.hpp"
#include "de/problem.hpp"
#include "de/run.hpp"
#include "device/opencl.hpp"
#include "store/checkpoint.hpp"
#include "store/lock.hpp"

namespace atl::cli {
namespace {

struct Loaded {
  config::LoadedDe config;
  de::Problem problem;
};

Loaded load(const DeOptions& options, const cluster::Communicator& communicator) {
  Loaded loaded;
  together(communicator, [&] {
    loaded.config = config::load_de(options.file, options.overrides);
    loaded.problem = de::make_problem(loaded.config.settings);
  });
  // Every rank reads the same bytes, or the islands would search different landscapes.
  const auto prints =
      communicator.gather_all(fmt::format("{:x} on {}", de::fingerprint(loaded.problem), communicator.host()));
  const auto head = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  for (std::size_t rank = 1; rank < prints.size(); ++rank) {
    if (head(prints[rank]) == head(prints[0])) continue;
    throw AgreedError(ExitCode::bad_data,
                      fmt::format("rank {} ({}) reads another {} or other data than rank 0", rank,
                                  prints[rank].substr(head(prints[rank]).size() + 4), options.file));
  }
  return loaded;
}

std::vector<std::string> inputs_of(const DeOptions& options, const config::DeSettings& settings) {
  std::vector<std::string> inputs = {options.file};
  if (settings.problem.kind == config::ProblemKind::objective) inputs.push_back(settings.problem.text);
  if (!settings.problem.data.empty()) inputs.push_back(settings.problem.data);
  if (!settings.algorithm.initial_file.empty()) inputs.push_back(settings.algorithm.initial_file);
  return inputs;
}

/// f at the start values by the host and by rank 0's device; a machine without one still has the host.
int evaluate(const Loaded& loaded, const RankDevice& mine, const cluster::Communicator& communicator) {
  together(communicator, [&] {
    if (!communicator.root()) return;
    const StartPoint start = start_point(loaded.problem);
    const auto host = de::host_objective(loaded.problem);
    EvaluationReport report;
    if (host) report.host = host(start.x);
    if (mine.chosen) {
      const device::Device device = device::open(*mine.chosen);
      report.device_name = mine.chosen->name;
      report.device = de::evaluate_on_device(loaded.config, loaded.problem, start.x, device);
    } else if (!host) {
      throw Error(ExitCode::no_device, mine.refusal);
    } else {
      report.no_device = mine.refusal;
    }
    fmt::print("{}", evaluation_text(loaded.problem, start, report));
  });
  return static_cast<int>(ExitCode::done);
}

ProgressState progress_state(const de::Progress& now) {
  ProgressState state;
  state.seconds = now.seconds;
  state.count = now.evaluations;
  state.unit = "evaluations";
  state.best = fmt::format("{:.9g}", now.best);
  state.share_done = now.share_done;
  return state;
}

constexpr double patience_seconds = 60;  // without a word from the device

std::string late_text(const config::ProblemSettings& problem) {
  const std::string what = problem.kind == config::ProblemKind::objective ? problem.text : "the objective";
  return fmt::format(
      "the device has not answered for a minute or more; {} may be without end, or a generation takes "
      "that long; a second signal (Ctrl-C twice) ends the run at once",
      what);
}

/// Adds to an error in the middle of a search that a checkpoint of it stands.
[[noreturn]] void fail_with_hint(const Error& error, const store::CheckpointPaths& checkpoints) {
  if (!store::checkpoint_exists(checkpoints)) throw Error(error);
  throw Error(error.code(), fmt::format("{}\natoll: the same command with --resume goes on from {}", error.what(),
                                        checkpoints.newest));
}

de::RunOutcome run_guarded(const Loaded& loaded, const de::RunOptions& options, const device::Device& device,
                           const cluster::Communicator& communicator) {
  try {
    return de::run(loaded.config, loaded.problem, options, device, communicator);
  } catch (const Error& error) {
    fail_with_hint(error, *options.checkpoints);
  }
}

/// The result on the disk; checkpoints stay until it is there, and for as long as the run is unfinished. Rank 0.
void write_outcome(const de::RunOutcome& outcome, const std::string& output, bool keep_checkpoint) {
  try {
    store::write_de_result(outcome.result, output);
    if (!outcome.checkpoint_fault.empty()) fail(ExitCode::cannot_write, "{}", outcome.checkpoint_fault);
  } catch (const Error& error) {
    fail_with_hint(error, store::checkpoint_paths(output));
  }
  if (outcome.code == ExitCode::stopped) return;
  if (outcome.code == ExitCode::done && keep_checkpoint)
    store::keep_newest_checkpoint(output);
  else
    store::remove_checkpoints(output);
}

void tell_end(const de::RunOutcome& outcome, const DeOptions& options, const std::string& output) {
  const store::CheckpointPaths checkpoints = store::checkpoint_paths(output);
  std::string text = summary_text(outcome.result, output, options.verbose);
  if (outcome.code == ExitCode::done && store::checkpoint_exists(checkpoints))
    text += fmt::format("-> {}, for --resume --set stop.evaluations=MORE\n", checkpoints.newest);
  if (!options.quiet) fmt::print("{}", text);
  if (outcome.code == ExitCode::stopped)
    write_stderr(
        fmt::format("atoll: stopped early; the same command with --resume goes on from {}\n", checkpoints.newest));
  if (outcome.code == ExitCode::no_usable_point) write_stderr("atoll: " + outcome.result.message + "\n");
}

int search(const DeOptions& options, const Loaded& loaded, const RankDevice& mine, const std::string& output,
           std::shared_ptr<const store::DeCheckpoint> resume, const cluster::Communicator& communicator) {
  cluster::install_signal_handlers();  // the search does it again; PoCL put its own there, which swallow USR1
  std::optional<device::DeviceInfo> info;
  together(communicator, [&] { info = require_device(communicator, mine); });
  const std::vector<std::string> warnings = device_warnings(communicator, mine);
  std::unique_ptr<device::Device> device;
  together(communicator, [&] { device = std::make_unique<device::Device>(device::open(*info)); });

  Progress progress(communicator.root() ? stderr_style(options.quiet) : Progress::Style::none, write_stderr,
                    stderr_columns());
  de::RunOptions run_options;
  run_options.command_line = options.command_line;
  run_options.process_start = options.process_start;
  run_options.max_seconds = options.max_seconds;
  run_options.shape = options.shape;
  run_options.checkpoints = store::checkpoint_paths(output);
  run_options.checkpoint_seconds = options.checkpoint_seconds;
  // What was kept once stays kept, whoever forgets to ask again.
  const bool keeps = options.keep_checkpoint || (resume != nullptr && resume->kept);
  run_options.keep_checkpoint = communicator.max(std::int64_t{keeps}) != 0;
  run_options.resumes = communicator.max(std::int64_t{resume != nullptr}) != 0;
  run_options.resume = std::move(resume);
  std::mutex speaking;
  const auto say = [&](const std::string& text) {
    const std::lock_guard lock(speaking);
    progress.clear();
    write_stderr("atoll: " + text + "\n");
  };
  if (options.verbose) run_options.note = say;
  run_options.warning = [&](const std::string& text) { say("warning: " + text); };
  for (const std::string& warning : warnings) run_options.warning(warning);
  std::optional<Watchdog> watchdog;
  if (communicator.root())
    watchdog.emplace(patience_seconds, [&] { run_options.warning(late_text(loaded.config.settings.problem)); });
  run_options.progress = [&](const de::Progress& now) {
    watchdog->alive();  // only rank 0 is told
    const std::lock_guard lock(speaking);
    progress.show(progress_state(now));
  };

  const de::RunOutcome outcome = run_guarded(loaded, run_options, *device, communicator);
  watchdog.reset();
  progress.clear();
  together(communicator, [&] {
    if (communicator.root()) write_outcome(outcome, output, run_options.keep_checkpoint);
  });
  if (communicator.root()) tell_end(outcome, options, output);
  return static_cast<int>(outcome.code);
}

}  // namespace

int run_de(const DeOptions& options, const cluster::Communicator& communicator) {
  const Loaded loaded = load(options, communicator);
  if (communicator.root()) {
    for (const std::string& warning : loaded.problem.warnings) write_stderr("atoll: warning: " + warning + "\n");
  }
  if (options.evaluate) return evaluate(loaded, find_device(communicator, options.device), communicator);

  std::string output;
  together(communicator, [&] { output = output_path(options.output, options.file); });
  if (options.dry_run) {
    const RankDevice mine = find_device(communicator, options.device);
    de_dry_run(loaded.config, loaded.problem, {output, options.shape, options.resume, options.force}, mine,
               communicator);
    return static_cast<int>(ExitCode::done);
  }
  std::unique_ptr<store::Lock> lock;  // rank 0, until the result stands
  EarlierDe earlier;
  together(communicator, [&] {
    if (!communicator.root()) return;
    const bool goes_on = options.resume || store::checkpoint_exists(store::checkpoint_paths(output));
    const bool may_replace = options.force || (goes_on && is_de_result(output));  // or a checkpoint has its say below
    check_output(output, inputs_of(options, loaded.config.settings), may_replace);
    lock = std::make_unique<store::Lock>(output, store::this_process(communicator.host()));
    earlier = look_for_earlier({output, options.resume, options.force}, loaded.config, loaded.problem);
    if (!earlier.finished) check_room(output, loaded.config.settings, loaded.problem);
  });
  if (communicator.max(std::int64_t{earlier.finished}) != 0) {
    if (communicator.root() && !options.quiet) fmt::print("{} is finished already; nothing to do\n", output);
    return static_cast<int>(ExitCode::done);
  }
  for (const std::string& note : earlier.notes) write_stderr("atoll: " + note + "\n");
  return search(options, loaded, find_device(communicator, options.device), output, earlier.checkpoint, communicator);
}

}  // namespace atl::cli
