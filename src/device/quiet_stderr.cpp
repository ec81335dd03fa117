#include "device/quiet_stderr.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace atl::device {

QuietStderr::QuietStderr(std::string unwanted) : unwanted_(std::move(unwanted)) {
  std::fflush(stderr);
  held_ = memfd_create("atoll-stderr", MFD_CLOEXEC);
  if (held_ < 0) return;
  original_ = dup(STDERR_FILENO);
  if (original_ >= 0) dup2(held_, STDERR_FILENO);
}

QuietStderr::~QuietStderr() {
  if (original_ >= 0) {
    std::fflush(stderr);
    dup2(original_, STDERR_FILENO);
    close(original_);
    lseek(held_, 0, SEEK_SET);
    if (FILE* lines = fdopen(dup(held_), "r")) {
      char* line = nullptr;
      std::size_t capacity = 0;
      while (getline(&line, &capacity, lines) >= 0) {
        const std::string_view text(line);
        if (!text.ends_with(unwanted_ + "\n") && !text.ends_with(unwanted_)) std::fputs(line, stderr);
      }
      std::free(line);
      std::fclose(lines);
    }
  }
  if (held_ >= 0) close(held_);
}

}  // namespace atl::device
