#include "cli/de_earlier.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "de/plan.hpp"
#include "de/resume.hpp"
#include "device/human_bytes.hpp"
#include "store/hdf5.hpp"

namespace atl::cli {
namespace {

namespace fs = std::filesystem;

/// "finished" or "stopped" of a DE result; empty for anything else.
std::string state_of_result(const std::string& path) {
  try {
    const store::ReadFile file(path);
    return file.text_attribute("/", "format") == "atoll-de" ? file.text_attribute("/", "state") : "";
  } catch (const Error&) {
    return "";
  }
}

std::string standing(const store::DeCheckpoint& checkpoint) {
  return fmt::format("generation {}, {} evaluations an island, {:.0f} s of search", checkpoint.generation,
                     checkpoint.evaluations, checkpoint.seconds);
}

void refuse_unfinished(const store::CheckpointPaths& paths) {
  if (!store::checkpoint_exists(paths)) return;
  const std::string path = fs::exists(paths.newest) ? paths.newest : paths.previous;
  std::string what = "holds an unfinished run";
  try {
    what += fmt::format(" ({})", standing(store::read_checkpoint(path)));
  } catch (const Error&) {
    what = "is a damaged checkpoint of an unfinished run";
  }
  fail(ExitCode::cannot_write, "{} {}; --resume goes on with it, --force discards it and starts afresh", path, what);
}

}  // namespace

bool is_de_result(const std::string& path) {
  return !state_of_result(path).empty();
}

// A checkpoint goes before a finished result: either that result is older than the run that the checkpoint is of, or
// the run was killed between writing the one and removing the other, and then ends with the same bits again.
EarlierDe look_for_earlier(const EarlierOptions& options, const config::LoadedDe& loaded, const de::Problem& problem) {
  const store::CheckpointPaths paths = store::checkpoint_paths(options.output);
  EarlierDe earlier;
  if (!options.resume) {
    if (!options.force) refuse_unfinished(paths);
    store::remove_checkpoints(options.output);
    return earlier;
  }
  auto found = store::find_checkpoint(paths);
  if (found) {
    de::check_same_search(found->checkpoint, found->path, loaded, problem);
    if (!found->warning.empty()) earlier.notes.push_back("warning: " + found->warning);
    earlier.notes.push_back(fmt::format("resumes from {}: {}", found->path, standing(found->checkpoint)));
    earlier.checkpoint = std::make_shared<const store::DeCheckpoint>(std::move(found->checkpoint));
  } else if (state_of_result(options.output) == "finished" && !options.force) {
    earlier.finished = true;
  } else {
    earlier.notes.push_back(fmt::format("there is no {}; the search starts afresh", paths.newest));
  }
  store::remove_leftovers(options.output);
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
