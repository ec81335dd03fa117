#include "cli/de_earlier.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/counts.hpp"
#include "base/error.hpp"
#include "cli/output.hpp"
#include "de/plan.hpp"
#include "de/resume.hpp"
#include "device/human_bytes.hpp"
#include "store/hdf5.hpp"
#include "store/try_in_child.hpp"

namespace atl::cli {
namespace {

namespace fs = std::filesystem;

/// What a DE result says of itself; an empty state for anything else, and for a damaged one.
struct Earlier {
  std::string state, identity, finished;
  std::int64_t generation = 0, evaluations = 0;  // evaluations of an island
};

Earlier read_earlier(const std::string& path) {
  const store::ReadFile file(path);
  if (file.text_attribute("/", "format") != "atoll-de") return {};
  const std::vector<std::int64_t> nfev = file.integers("/islands/nfev");
  return {file.text_attribute("/", "state"), file.text_attribute("/", "identity"), file.text_attribute("/", "finished"),
          file.integer_attribute("/", "nit"), nfev.empty() ? 0 : nfev.front()};
}

Earlier result_at(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  try {
    store::try_in_child(path, [&] { (void)read_earlier(path); });
    return read_earlier(path);
  } catch (const Error&) {
    return {};
  }
}

std::string standing(const store::DeCheckpoint& checkpoint) {
  return fmt::format("generation {}, {} an island, {:.0f} s of search", grouped(checkpoint.generation),
                     counted(checkpoint.evaluations, "evaluation"), checkpoint.seconds);
}

/// True for the checkpoint that --keep-checkpoint left beside this result. Any other one goes before a finished result:
/// either that result is older than the run that the checkpoint is of, or the run was killed between writing the one
/// and removing the other, and then ends with the same bits again.
bool is_kept_of(const store::DeCheckpoint& checkpoint, const Earlier& result) {
  return checkpoint.kept && result.state == "finished" && result.identity.starts_with(checkpoint.identity) &&
         checkpoint.saved <= result.finished;
}

void refuse_unfinished(const std::string& output, const Earlier& result) {
  const store::CheckpointPaths paths = store::checkpoint_paths(output);
  if (!store::checkpoint_exists(paths)) return;
  const std::string path = fs::exists(paths.newest) ? paths.newest : paths.previous;
  std::optional<store::DeCheckpoint> checkpoint;
  try {
    checkpoint = store::find_checkpoint(paths)->checkpoint;
  } catch (const Error&) {
    fail(ExitCode::cannot_write, "{} is a damaged checkpoint; --force discards it and starts afresh", path);
  }
  if (is_kept_of(*checkpoint, result)) refuse_to_replace(output);
  fail(ExitCode::cannot_write,
       "{} holds an unfinished run ({}); --resume goes on with it, --force discards it and starts afresh", path,
       standing(*checkpoint));
}

/// What --resume makes of a finished result: nothing is left to do, or its checkpoint is gone on with to a later end.
void look_at_finished(EarlierDe& earlier, const Earlier& result, const std::string& output,
                      const store::DeCheckpoint* kept, const config::LoadedDe& loaded, const de::Problem& problem) {
  de::check_same_search(result.identity, output, loaded, problem);
  const std::vector<std::string> changes = de::changes_of_the_end(result.identity, loaded, problem);
  earlier.finished = changes.empty();
  if (earlier.finished) return;
  const std::string what =
      fmt::format("{} holds a finished run of {}, {} an island ({})", output, counted(result.generation, "generation"),
                  counted(result.evaluations, "evaluation"), fmt::join(changes, "; "));
  if (kept == nullptr)
    fail(ExitCode::cannot_write,
         "{}; it cannot be extended, because its checkpoint is gone: only --keep-checkpoint keeps it; --force starts "
         "afresh, -o names another output",
         what);
  const bool shorter = de::plan_island(loaded.settings, problem).evaluations < kept->evaluations ||
                       loaded.settings.stop.generations.value_or(kept->generation) < kept->generation;
  if (shorter)
    fail(ExitCode::bad_configuration,
         "{}; a finished run can be extended, not made shorter; --force starts afresh, -o names another output", what);
  earlier.notes.push_back(what + " and is extended");
}

}  // namespace

bool is_de_result(const std::string& path) {
  return !result_at(path).state.empty();
}

EarlierDe earlier_to_resume(const std::string& output, bool force, const config::LoadedDe& loaded,
                            const de::Problem& problem) {
  const store::CheckpointPaths paths = store::checkpoint_paths(output);
  const Earlier result = result_at(output);
  EarlierDe earlier;
  auto found = store::find_checkpoint(paths);
  const bool kept = found && is_kept_of(found->checkpoint, result);
  if (!force && result.state == "finished" && (kept || !found)) {
    look_at_finished(earlier, result, output, kept ? &found->checkpoint : nullptr, loaded, problem);
    if (earlier.finished) return earlier;
  }
  if (found) {
    de::check_same_search(found->checkpoint.identity, found->path, loaded, problem);
    if (!found->warning.empty()) earlier.notes.push_back("warning: " + found->warning);
    earlier.notes.push_back(fmt::format("resumes from {}: {}", found->path, standing(found->checkpoint)));
    earlier.checkpoint = std::make_shared<const store::DeCheckpoint>(std::move(found->checkpoint));
  } else {
    earlier.notes.push_back(fmt::format("there is no {}; the search starts afresh", paths.newest));
  }
  return earlier;
}

EarlierDe look_for_earlier(const EarlierOptions& options, const config::LoadedDe& loaded, const de::Problem& problem) {
  if (!options.resume) {
    if (!options.force) refuse_unfinished(options.output, result_at(options.output));
    store::remove_checkpoints(options.output);
    return {};
  }
  EarlierDe earlier = earlier_to_resume(options.output, options.force, loaded, problem);
  if (!earlier.finished) store::remove_leftovers(options.output);
  return earlier;
}

void check_room(const std::string& output, const config::DeSettings& settings, const de::Problem& problem) {
  const de::IslandPlan plan = de::plan_island(settings, problem);
  const auto islands =
      static_cast<std::uint64_t>(settings.islands.count);  // of "auto": what is known before the devices
  const auto members = static_cast<std::uint64_t>(plan.members);
  const std::uint64_t result = 8 * islands * members * (problem.dimension() + 1);
  std::uint64_t wanted =
      result + 3 * store::checkpoint_size(islands, problem.free(), members, static_cast<std::uint64_t>(plan.archive),
                                          static_cast<std::uint64_t>(plan.memory),
                                          settings.run.precision == config::Precision::real32);
  const store::CheckpointPaths paths = store::checkpoint_paths(output);
  std::error_code ignored;
  for (const std::string& path : {paths.newest, paths.previous, output}) {
    const std::uintmax_t there = fs::file_size(path, ignored);
    if (there != static_cast<std::uintmax_t>(-1)) wanted -= std::min<std::uint64_t>(wanted, there);
  }
  const fs::path folder = fs::path(output).has_parent_path() ? fs::path(output).parent_path() : fs::path(".");
  const fs::space_info space = fs::space(folder, ignored);
  if (space.available == static_cast<std::uintmax_t>(-1) || space.available >= wanted) return;
  fail(ExitCode::cannot_write, "{}: {} of space are left in its folder; checkpoints and result need about {}", output,
       device::human_bytes(space.available), device::human_bytes(wanted));
}

}  // namespace atl::cli
