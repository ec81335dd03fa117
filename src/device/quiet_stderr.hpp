// Keeps one kind of line of a library that writes to stderr by itself from the user's screen.
#pragma once
#include <string>

namespace atl::device {

/// While it lives, what the process writes to file descriptor 2 is held back; at the end all lines but those that end
/// in `unwanted` are written. Best effort: without a temporary file everything passes at once.
class QuietStderr {
 public:
  explicit QuietStderr(std::string unwanted);
  ~QuietStderr();
  QuietStderr(const QuietStderr&) = delete;
  QuietStderr& operator=(const QuietStderr&) = delete;

 private:
  std::string unwanted_;
  int held_ = -1, original_ = -1;
};

}  // namespace atl::device
