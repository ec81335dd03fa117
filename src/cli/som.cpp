#include "cli/som.hpp"

#include <cstdlib>
#include <ctime>
#include <memory>

#include "base/counts.hpp"
#include "cli/agreement.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/rank_device.hpp"
#include "cli/som_dry_run.hpp"
#include "cluster/signals.hpp"
#include "device/opencl.hpp"
#include "som/run.hpp"
#include "som/summary_text.hpp"
#include "som/trainer.hpp"
#include "store/hdf5.hpp"
#include "store/lock.hpp"

namespace atl::cli {
namespace {

constexpr std::size_t summary_rows = 24;

store::Provenance provenance_of(const SomOptions& options) {
  store::Provenance provenance;
  provenance.command_line = options.command_line;
  provenance.mpi = cluster::mpi_library_version();
  provenance.hdf5 = store::hdf5_version();
  const std::time_t start = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&start, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  provenance.started = text;
  if (const char* const job = std::getenv("SLURM_JOB_ID")) provenance.slurm_job_id = job;
  if (const char* const restarts = std::getenv("SLURM_RESTART_COUNT"))
    provenance.slurm_restarts = std::strtoll(restarts, nullptr, 10);
  return provenance;
}

std::vector<std::string> inputs_of(const som::Sweep& sweep) {
  const config::SomSettings& settings = sweep.loaded.settings;
  std::vector<std::string> inputs = {settings.file, settings.data.file};
  for (const std::string& path : {settings.training.initial_file, settings.training.order_file})
    if (!path.empty()) inputs.push_back(path);
  return inputs;
}

/// Every rank reads the same bytes, or the run would mix sweeps.
void check_same_everywhere(const cluster::Communicator& communicator, const som::Sweep& sweep) {
  const std::string mine = communicator.host() + "\n" + sweep.identity;
  const std::vector<std::string> all = communicator.gather_all(mine);
  const auto identity = [](const std::string& text) { return text.substr(text.find('\n') + 1); };
  for (std::size_t r = 1; r < all.size(); ++r)
    if (identity(all[r]) != identity(all[0]))
      fail(ExitCode::bad_data, "rank {} on {} reads another sweep or other data than rank 0 on {}", r,
           all[r].substr(0, all[r].find('\n')), all[0].substr(0, all[0].find('\n')));
}

void print_end(const SomOptions& options, const som::RunOutcome& outcome, const std::string& output) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - options.process_start).count();
  if (outcome.code == ExitCode::stopped) {
    write_stderr(fmt::format("stopped by {} with {} of {} in {}.partial; the same command with --resume goes on\n",
                             outcome.stop_reason, outcome.kept + outcome.trained, counted(outcome.total, "map"),
                             output));
    return;
  }
  if (options.quiet) return;
  fmt::print("{}", som::summary_table(outcome.summary, outcome.suggestions, options.verbose ? SIZE_MAX : summary_rows));
  fmt::print("{}", som::suggestion_text(outcome.suggestions));
  fmt::print("{} in {} -> {}\n", counted(outcome.trained, "map"), human_seconds(seconds), output);
}

/// The trainer gets the points themselves; what the run needs to know of them stays.
som::TrainerInputs take_inputs(som::Sweep& sweep) {
  som::TrainerInputs taken = std::move(sweep.inputs);
  sweep.inputs = som::TrainerInputs();
  sweep.inputs.training = taken.training;
  som::ScaledData& data = sweep.inputs.data;
  data.names = taken.data.names;
  data.offset = taken.data.offset;
  data.scale = taken.data.scale;
  data.rows = taken.data.rows;
  data.scaled = taken.data.scaled;
  return taken;
}

som::RunOutcome train(som::Sweep& sweep, const som::RunOptions& run_options, const device::DeviceInfo& info,
                      const cluster::Communicator& communicator) {
  std::unique_ptr<device::Device> device;
  std::unique_ptr<som::Trainer> trainer;
  together(communicator, [&] {
    device = std::make_unique<device::Device>(device::open(info));
    cluster::install_signal_handlers();  // before what takes long with large data
    trainer = std::make_unique<som::Trainer>(*device, take_inputs(sweep));
  });
  const som::TrainMaps train_maps = [&](std::span<const som::MapSetting> maps, const som::FinishedMap& finished,
                                        const std::function<bool()>& stop) {
    return trainer->train(maps, finished, stop);
  };
  som::RankDevice here;
  here.width = [&](const som::MapSetting& map) { return som::device_width(map, info.gpu, info.compute_units); };
  here.speed = som::neuron_steps_per_second(info.gpu, info.compute_units, sweep.loaded.settings.precision);
  here.share = [&] { return trainer->progress(); };
  som::RunOutcome outcome;
  // The run throws the same error on every rank; this makes it known as agreed.
  together(communicator, [&] { outcome = som::run(sweep, run_options, train_maps, here, communicator); });
  return outcome;
}

}  // namespace

int run_som(const SomOptions& options, const cluster::Communicator& communicator) {
  som::Sweep sweep;
  together(communicator, [&] { sweep = som::load_sweep(options.file, options.overrides); });
  check_same_everywhere(communicator, sweep);
  const bool talks = communicator.root() && !options.quiet;
  Progress progress(stderr_style(!talks), write_stderr, stderr_columns());
  const auto say = [&](const std::string& text) {
    progress.clear();
    write_stderr(text + "\n");
  };

  som::RunOptions run_options;
  run_options.output = output_path(options.output, options.file);
  run_options.resume = options.resume;
  run_options.force = options.force;
  run_options.max_seconds = options.max_seconds;
  run_options.process_start = options.process_start;
  run_options.provenance = provenance_of(options);
  run_options.message = say;
  run_options.progress = [&](const som::Progress& now) {
    progress.show({now.seconds, now.maps, "maps", "", now.share_done, now.share_at_start});
  };

  const RankDevice mine = find_device(communicator, options.device);
  if (options.dry_run) {
    dry_run(sweep, run_options, mine, communicator);
    return static_cast<int>(ExitCode::done);
  }
  cluster::install_signal_handlers();  // PoCL put its own there, which swallow USR1
  bool already_finished = false;
  std::unique_ptr<store::Lock> lock;  // rank 0, until the result stands
  together(communicator, [&] {
    if (!communicator.root()) return;
    check_output(run_options.output, inputs_of(sweep), options.force || options.resume);
    lock = std::make_unique<store::Lock>(run_options.output, store::this_process(communicator.host()));
    already_finished = som::find_earlier(sweep, run_options) == som::Earlier::finished;
  });
  if (communicator.max(std::int64_t{already_finished}) != 0) {
    if (talks) fmt::print("{} is finished already; nothing to do\n", run_options.output);
    return static_cast<int>(ExitCode::done);
  }
  const device::DeviceInfo info = require_device(communicator, mine);
  for (const std::string& warning : device_warnings(communicator, mine)) say("warning: " + warning);
  if (communicator.root())
    for (const std::string& note : sweep.notes) say("note: " + note);
  const std::string note = som::note_of_points(info, sweep.inputs);
  if (communicator.root() && !note.empty()) say("note: " + note);
  if (talks) say(som::describe(sweep.plan, sweep.loaded.settings.sweep));
  const som::RunOutcome outcome = train(sweep, run_options, info, communicator);
  progress.clear();
  if (communicator.root()) print_end(options, outcome, run_options.output);
  return static_cast<int>(outcome.code);
}

}  // namespace atl::cli
