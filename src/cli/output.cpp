#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "store/hdf5.hpp"
#include "store/try_in_child.hpp"

namespace atl::cli {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& path, const std::string& input) {
  const auto dataset = store::split_dataset_path(input);
  std::error_code ignored;  // a file that is not there is no other file
  return fs::equivalent(path, dataset ? dataset->file : input, ignored);
}

/// "finished", "stopped", or empty for anything that is no result of ours.
std::string state_of(const std::string& path) {
  const auto read = [&] { return store::ReadFile(path).text_attribute("/", "state"); };
  try {
    store::try_in_child(path, [&] { (void)read(); });
    return read();
  } catch (const Error&) {
    return "";
  }
}

}  // namespace

std::string output_path(const std::string& given, const std::string& input) {
  return store::behind_links(given.empty() ? fs::path(input).stem().string() + ".h5" : given);
}

void check_output(const std::string& path, const std::vector<std::string>& inputs, bool force) {
  for (const std::string& input : inputs) {
    if (same_file(path, input)) fail(ExitCode::usage, "{} is an input of this run; -o names another output", path);
  }
  if (path.ends_with(".checkpoint.h5") || path.ends_with(".checkpoint.previous.h5"))
    fail(ExitCode::usage, "{} is the name of a checkpoint, which another run may replace; -o names another output",
         path);
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(folder)) {
    fail(ExitCode::cannot_write, "{}: the folder {} does not exist", path, folder.string());
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(ExitCode::cannot_write, "{}: the folder {} cannot be written: {}", path, folder.string(),
         std::generic_category().message(errno));
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) fail(ExitCode::cannot_write, "{} is there and is not a regular file", path);
  if (!force) refuse_to_replace(path);
}

void refuse_to_replace(const std::string& path) {
  const std::string state = state_of(path);
  const char* what = "exists already and is not a result of atoll";
  if (state == "finished") what = "is a finished result";
  if (state == "stopped") what = "is the result of a run that was stopped early";
  fail(ExitCode::cannot_write, "{} {}; --force replaces it, -o names another output", path, what);
}

}  // namespace atl::cli
