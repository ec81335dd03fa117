#include "data/file_bytes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace atl::data {
namespace {

struct Descriptor {
  int id;
  ~Descriptor() {
    if (id >= 0) ::close(id);
  }
};

[[noreturn]] void fail_reading(const std::string& path, const std::string& reason) {
  fail(ExitCode::missing_input, "cannot read {}: {}", path, reason);
}

}  // namespace

std::string read_file(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // a pipe must not hang us
  struct stat status {};
  if (file.id < 0 || ::fstat(file.id, &status) != 0) fail_reading(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail_reading(path, "it is a folder");
  if (!S_ISREG(status.st_mode)) fail_reading(path, "it is not a regular file");
  std::string content(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t length = 0;
  while (length < content.size()) {
    const ssize_t got = ::read(file.id, content.data() + length, content.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_reading(path, std::strerror(errno));
    if (got == 0) break;  // it shrank meanwhile
    length += static_cast<std::size_t>(got);
  }
  content.resize(length);
  return content;
}

}  // namespace atl::data
