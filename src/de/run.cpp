#include "de/run.hpp"

#include <algorithm>

#include "base/utc.hpp"
#include "cluster/signals.hpp"
#include "config/effective.hpp"
#include "de/checkpoint.hpp"
#include "de/initial_file.hpp"
#include "de/outcome.hpp"
#include "de/resume.hpp"
#include "de/search.hpp"

namespace atl::de {
namespace {

std::int64_t count_islands(const config::DeSettings& settings, const Problem& problem, const device::Device& device,
                           const cluster::Communicator& communicator) {
  if (problem.free() == 0) return 1;
  if (!settings.islands.automatic) return settings.islands.count;
  std::vector<unsigned> units;
  for (const std::string& text : communicator.gather_all(std::to_string(device.info.compute_units)))
    units.push_back(static_cast<unsigned>(std::stoul(text)));
  const std::int64_t islands = automatic_islands(units, device.info.gpu);
  if (settings.migration.topology == config::Topology::complete && islands > 4096)
    fail_at(ExitCode::bad_configuration, settings.islands.where,
            "islands.count: \"auto\" stands for {} islands here, topology \"complete\" allows 4096", islands);
  return islands;
}

/// The first rank of a node compiles, the others then find the kernels in the cache: PoCL's cache fails when many
/// write.
std::unique_ptr<Engine> make_engine(const device::Device& device, const EngineSetup& setup, const SearchState* start,
                                    const IslandStates& islands, const cluster::Communicator& communicator) {
  std::unique_ptr<Engine> engine;
  const auto make = [&] {
    if (setup.islands == 0) return;
    engine = std::make_unique<Engine>(device, setup);
    if (start != nullptr)
      engine->restore(islands, start->generation, start->evaluations);
    else
      engine->initialize();
    engine->warm_up();
  };
  if (communicator.node_rank() == 0) make();
  communicator.node_barrier();
  if (communicator.node_rank() != 0) make();
  return engine;
}

void warn_about_migration(const config::DeSettings& settings, const IslandPlan& plan, std::int64_t islands,
                          const RunOptions& options) {
  if (!options.warning || settings.migration.topology == config::Topology::unconnected) return;
  if (plan.migrants < settings.migration.migrants)
    options.warning(fmt::format("migration.migrants is cut from {} to {}, the smallest population",
                                settings.migration.migrants, plan.migrants));
  const std::int64_t generations =
      settings.stop.generations.value_or(plan.evaluations / std::max(1, plan.members) * 40);
  if (islands > 1 && generations <= settings.migration.first)
    options.warning(
        fmt::format("no migration will happen: the first one is due after generation {}, and the run may have "
                    "only {}",
                    settings.migration.first, generations));
}

/// What was left to the program stands in the record as a number, so that the file alone repeats the run.
std::string recorded_configuration(const config::LoadedDe& loaded, const IslandPlan& plan, std::int64_t islands) {
  config::LoadedDe recorded = loaded;
  config::resolve(recorded.effective, "algorithm.population", std::to_string(plan.members));
  if (plan.adaptive)
    config::resolve(recorded.effective, "algorithm.schedule_evaluations", std::to_string(plan.schedule));
  config::resolve(recorded.effective, "islands.count", std::to_string(islands));
  config::resolve(recorded.effective, "stop.evaluations", std::to_string(plan.evaluations));
  return recorded.toml();
}

void describe(store::DeResult& result, const config::LoadedDe& loaded, const RunOptions& options,
              const cluster::Communicator& communicator) {
  result.provenance.command_line = options.command_line;
  result.provenance.mpi = cluster::mpi_library_version();
  result.provenance.hdf5 = store::hdf5_version();
  result.provenance.ranks = communicator.size();
  result.provenance.seed = loaded.settings.run.seed;
  if (const char* const job = std::getenv("SLURM_JOB_ID")) result.provenance.slurm_job_id = job;
  if (const char* const restarts = std::getenv("SLURM_RESTART_COUNT"))
    result.provenance.slurm_restarts = std::strtoll(restarts, nullptr, 10);
}

/// What a run decided for itself once, it does not decide again when it goes on. Collective.
void adopt(config::DeSettings& settings, const Problem& problem, const RunOptions& options,
           const cluster::Communicator& communicator) {
  const store::DeCheckpoint* const from = options.resume.get();
  settings.islands.count = communicator.max(from != nullptr ? from->islands : 0);
  settings.islands.automatic = false;
  const std::int64_t schedule = communicator.max(from != nullptr ? from->schedule : 0);
  if (!plan_island(settings, problem).adaptive) return;
  const bool given = settings.algorithm.schedule_evaluations.has_value();
  settings.algorithm.schedule_evaluations = schedule;
  if (!given && communicator.root() && options.warning && plan_island(settings, problem).evaluations > schedule)
    options.warning(
        fmt::format("beyond {} evaluations an island the search stays in the last phase of its schedule; "
                    "a fresh run with the larger budget would differ",
                    schedule));
}

/// What does not change in a run's checkpoints.
store::DeCheckpoint checkpoint_head(const config::LoadedDe& loaded, const Problem& problem, const IslandPlan& plan,
                                    std::int64_t islands, bool single) {
  store::DeCheckpoint head;
  head.identity = search_identity(loaded, problem, plan.schedule, islands);
  head.config = recorded_configuration(loaded, plan, islands);
  head.single = single;
  head.islands = islands;
  head.free = static_cast<std::int64_t>(std::max<std::size_t>(problem.free(), 1));
  head.archive = plan.archive;
  head.memory = plan.memory;
  head.schedule = plan.schedule;
  head.value_to_reach = loaded.settings.stop.value_to_reach;
  return head;
}

/// How this run is saved; nothing without a place for it. `writer` and `fault` are rank 0's.
Saving saving_of(const RunOptions& options, const store::DeCheckpoint& head, Engine* engine, Migration& migration,
                 std::optional<CheckpointWriter>& writer, std::string& fault,
                 const cluster::Communicator& communicator) {
  Saving saving;
  if (!options.checkpoints) return saving;
  saving.every = options.checkpoint_seconds;
  saving.keep = options.keep_checkpoint;
  saving.ready = [&] { return !writer || writer->ready(); };
  saving.save = [&, engine](const SearchState& state, SaveFor purpose) {
    auto checkpoint = gather_checkpoint(head, engine, state, migration.log(), communicator);
    if (!writer || !checkpoint) return;
    checkpoint->kept = purpose == SaveFor::extending;
    if (purpose != SaveFor::resuming) {
      writer->start(std::move(*checkpoint));
      return;
    }
    try {
      writer->write_now(*checkpoint);
    } catch (const Error& error) {
      fault = error.what();
    }
  };
  return saving;
}

void judge(RunOutcome& outcome, const Searched& searched, const config::StopSettings& stop) {
  store::DeResult& result = outcome.result;
  const bool usable = std::isfinite(result.fun);
  result.state = is_interruption(searched.reason) ? "stopped" : "finished";
  result.stop_reason = name_of(searched.reason);
  result.message = message_of(searched.reason, stop);
  result.success = usable && !is_interruption(searched.reason);
  result.converged = searched.reason == StopReason::tolerance || searched.reason == StopReason::value_to_reach;
  if (!usable && searched.reason != StopReason::no_finite_energy) result.message += "; no member has a finite energy";
}

}  // namespace

RunOutcome run(const config::LoadedDe& loaded, const Problem& problem, const RunOptions& options,
               const device::Device& device, const cluster::Communicator& communicator) {
  config::DeSettings settings = loaded.settings;
  const std::string started = utc_now();
  cluster::install_signal_handlers();
  if (options.resumes) adopt(settings, problem, options, communicator);
  const IslandPlan plan = plan_island(settings, problem);
  const std::int64_t islands = count_islands(settings, problem, device, communicator);
  const std::int64_t first = first_island(islands, communicator.rank(), communicator.size());
  const std::int64_t local = first_island(islands, communicator.rank() + 1, communicator.size()) - first;
  EngineSetup setup{problem, settings, plan, {}, first, local, {}};
  setup.device_plan = plan_device(plan, settings, problem, device.info, islands, local, options.shape);
  std::optional<SearchState> start;
  IslandStates states;
  if (options.resumes) {
    start = deal_state(options.resume.get(), islands, communicator);
    states = deal_islands(options.resume.get(), islands, communicator);
    const bool changed = options.resume && options.resume->value_to_reach != settings.stop.value_to_reach;
    if (communicator.max(std::int64_t{changed}) != 0)
      forget_other_value_to_reach(states, settings.stop.value_to_reach,
                                  settings.run.precision == config::Precision::real32);
  } else {
    setup.initial = initial_members(settings.algorithm, problem, plan.members, first, local);
    if (communicator.root()) warn_about_migration(settings, plan, islands, options);
  }

  const std::unique_ptr<Engine> engine = make_engine(device, setup, start ? &*start : nullptr, states, communicator);
  states = {};
  Migration migration(settings.migration, islands, plan.migrants, std::max<std::size_t>(problem.free(), 1),
                      problem.dimension() <= 64, communicator);
  if (options.resume) migration.continue_log(migration_log(*options.resume));
  const double work = std::max(1.0, operations(problem)) * static_cast<double>(plan.members) *
                      static_cast<double>(std::max<std::int64_t>(local, 1));
  RunOutcome outcome;
  const store::DeCheckpoint head =
      checkpoint_head(loaded, problem, plan, islands, settings.run.precision == config::Precision::real32);
  std::optional<CheckpointWriter> writer;
  if (options.checkpoints && communicator.root()) writer.emplace(*options.checkpoints, options.warning, options.note);
  const Saving saving =
      saving_of(options, head, engine.get(), migration, writer, outcome.checkpoint_fault, communicator);
  const Searched searched = search(engine.get(), settings, plan, islands, migration, options, work, communicator,
                                   start ? &*start : nullptr, saving);
  if (writer) writer->wait();

  Best best;
  gather_islands(outcome.result, engine.get(), problem, islands, searched, migration.log(), device, communicator, best);
  if (communicator.root()) {
    outcome.result.provenance.config = recorded_configuration(loaded, plan, islands);
    outcome.result.identity = result_identity(loaded, problem, plan.schedule, islands);
    describe(outcome.result, loaded, options, communicator);
    finish_point(outcome.result, best, problem, settings, *engine, is_interruption(searched.reason), options.warning);
    judge(outcome, searched, settings.stop);
    outcome.code = is_interruption(searched.reason)     ? ExitCode::stopped
                   : !std::isfinite(outcome.result.fun) ? ExitCode::no_usable_point
                                                        : ExitCode::done;
    outcome.result.provenance.started = started;
    outcome.result.provenance.finished = utc_now();
    outcome.result.provenance.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - options.process_start).count();
  }
  outcome.code = static_cast<ExitCode>(communicator.max(static_cast<std::int64_t>(outcome.code)));
  return outcome;
}

Evaluation evaluate_on_device(const config::LoadedDe& loaded, const Problem& problem, const std::vector<double>& x,
                              const device::Device& device) {
  const IslandPlan plan = plan_island(loaded.settings, problem);
  EngineSetup setup{problem, loaded.settings, plan, {}, 0, 1, {}};
  setup.device_plan = plan_device(plan, loaded.settings, problem, device.info, 1, 1, std::nullopt);
  Engine engine(device, setup);
  const std::vector<double> u = encode(problem, x);
  return {engine.evaluate(u).front(), engine.row_parts(u)};
}

}  // namespace atl::de
