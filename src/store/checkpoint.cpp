#include "store/checkpoint.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "store/checkpoint_header.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

namespace fs = std::filesystem;

constexpr const char* staging_ending = ".new";  // of a generation that is not yet in its place

std::vector<std::byte> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) fail(ExitCode::missing_input, "cannot read {}: {}", path, std::strerror(errno));
  const std::streamoff size = file.tellg();
  if (size < 0) fail(ExitCode::bad_data, "{} is not a regular file", path);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), size);
  if (file.gcount() != size) fail(ExitCode::bad_data, "cannot read {}: {}", path, std::strerror(errno));
  return bytes;
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    fail(ExitCode::cannot_write, "cannot rename {} to {}: {}", from, to, std::strerror(errno));
}

/// After a power failure the renames must be there too. Some file systems cannot promise it; then nothing is lost but
/// the newest generation.
void sync_folder_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  const int descriptor = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

CheckpointPaths checkpoint_paths(const std::string& output) {
  fs::path stem = output;
  if (stem.extension() == ".h5" || stem.extension() == ".hdf5") stem.replace_extension();
  return {stem.string() + ".checkpoint.h5", stem.string() + ".checkpoint.previous.h5"};
}

bool checkpoint_exists(const CheckpointPaths& paths) {
  std::error_code ignored;
  return fs::exists(paths.newest, ignored) || fs::exists(paths.previous, ignored);
}

void write_checkpoint(const CheckpointPaths& paths, std::span<const std::byte> bytes) {
  const std::string staging = paths.newest + staging_ending;
  write_atomically(staging, bytes);
  std::error_code ignored;
  if (fs::exists(paths.newest, ignored)) rename_file(paths.newest, paths.previous);
  rename_file(staging, paths.newest);
  sync_folder_of(paths.newest);
}

DeCheckpoint read_checkpoint(const std::string& path) {
  const std::vector<std::byte> bytes = read_whole(path);
  const CheckpointHeader header = check_header(path, bytes);
  DeCheckpoint checkpoint = read_checkpoint_image(path);
  if (identity_hash(checkpoint.identity) != header.identity)
    fail(ExitCode::bad_data, "{}: the header belongs to another configuration than the content", path);
  return checkpoint;
}

std::optional<FoundCheckpoint> find_checkpoint(const CheckpointPaths& paths) {
  if (!checkpoint_exists(paths)) return std::nullopt;
  FoundCheckpoint found;
  std::vector<std::string> faults;
  for (const std::string& path : {paths.newest, paths.previous}) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    try {
      found.checkpoint = read_checkpoint(path);
    } catch (const Error& error) {
      faults.emplace_back(error.what());
      continue;
    }
    found.path = path;
    if (!faults.empty()) found.warning = fmt::format("{}; going on from the one before, {}", faults.front(), path);
    return found;
  }
  fail(ExitCode::bad_data, "no checkpoint is usable: {}; --force starts afresh", fmt::join(faults, "; "));
}

void remove_leftovers(const std::string& output) {
  const CheckpointPaths paths = checkpoint_paths(output);
  std::error_code ignored;
  fs::remove(paths.newest + staging_ending, ignored);
  const fs::path folder = fs::path(output).has_parent_path() ? fs::path(output).parent_path() : fs::path(".");
  const std::string result = fs::path(output).filename().string() + ".tmp-";
  const std::string generation = fs::path(paths.newest).filename().string() + staging_ending + ".tmp-";
  std::vector<fs::path> leftovers;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(result) || name.starts_with(generation)) leftovers.push_back(entry->path());
  }
  for (const fs::path& leftover : leftovers) fs::remove(leftover, ignored);
}

void keep_newest_checkpoint(const std::string& output) {
  const CheckpointPaths paths = checkpoint_paths(output);
  std::error_code ignored;
  if (fs::exists(paths.newest, ignored)) fs::remove(paths.previous, ignored);
  remove_leftovers(output);
}

void remove_checkpoints(const std::string& output) {
  const CheckpointPaths paths = checkpoint_paths(output);
  std::error_code ignored;
  fs::remove(paths.previous, ignored);
  fs::remove(paths.newest, ignored);
  remove_leftovers(output);
}

}  // namespace atl::store
