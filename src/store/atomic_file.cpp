// A file appears whole or not at all, also when the power fails: temp file beside it, fsync, rename, fsync the folder.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "store/hdf5.hpp"

namespace atl::store {
namespace {

namespace fs = std::filesystem;

// Closes the descriptor and removes the file unless it was renamed away.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& path, const std::string& target) : path_(path), target_(target) {
    constexpr mode_t readable_as_umask_allows = 0666;
    descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, readable_as_umask_allows);
    if (descriptor_ < 0) fail_here();
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!renamed_) ::unlink(path_.c_str());
  }

  void write(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_here();
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void rename() {
    if (::fsync(descriptor_) != 0) fail_here();
    // Network file systems may report a failed write only here.
    if (::close(std::exchange(descriptor_, -1)) != 0) fail_here();
    if (::rename(path_.c_str(), target_.c_str()) != 0) fail_here();
    renamed_ = true;
  }

 private:
  [[noreturn]] void fail_here() const {
    fail(ExitCode::cannot_write, "cannot write {}: {}", target_, std::strerror(errno));
  }

  std::string path_, target_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

// Without this a rename may be lost in a power failure. File systems that cannot do it say EINVAL, and a folder that
// may be written to but not read cannot be opened: the file is in place then all the same.
void sync_folder(const fs::path& folder, const std::string& target) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  const bool failed = ::fsync(descriptor) != 0 && errno != EINVAL;
  const int reason = errno;
  ::close(descriptor);
  if (failed) fail(ExitCode::cannot_write, "cannot write {}: folder: {}", target, std::strerror(reason));
}

}  // namespace

std::string behind_links(const std::string& path) {
  constexpr int most_links = 40;  // as the kernel has it
  std::error_code ignored;
  fs::path target = path;
  for (int links = 0; fs::is_symlink(target, ignored); ++links) {
    if (links == most_links) fail(ExitCode::cannot_write, "{}: its symbolic links lead in a circle", path);
    target = target.parent_path() / fs::read_symlink(target, ignored);
  }
  return target.string();
}

void write_atomically(const std::string& path, std::span<const std::byte> bytes) {
  std::error_code ignored;
  const fs::path target = behind_links(path);
  const fs::file_status status = fs::status(target, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    fail(ExitCode::cannot_write, "cannot write {}: it is {}", path,
         fs::is_directory(status) ? "a folder" : "not a regular file");
  }
  TemporaryFile file(fmt::format("{}.tmp-{}", target.string(), ::getpid()), target.string());
  file.write(bytes);
  file.rename();
  sync_folder(target.has_parent_path() ? target.parent_path() : fs::path("."), path);
}

}  // namespace atl::store
