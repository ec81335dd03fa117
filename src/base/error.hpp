// The one exception of the program: what went wrong, in one message, and the exit code that goes with it.
#pragma once
#include <fmt/format.h>

#include <stdexcept>
#include <string>

// The namespace is atl because the C library owns the name atoll().
namespace atl {

/// Exit codes of every subcommand; the numbers follow sysexits.h where it has one.
enum class ExitCode : int {
  done = 0,
  no_usable_point = 1,    // finished, but every energy is NaN or inf, or nothing is feasible
  usage = 64,             // the command line
  bad_data = 65,          // the content of a data or objective file
  missing_input = 66,     // an input file that is not there or cannot be read
  no_device = 69,         // no usable OpenCL device
  internal = 70,          // our own fault
  cannot_write = 74,      // an output that cannot be written, or is held by another run
  stopped = 75,           // stopped early; the result so far is on disk
  bad_configuration = 78  // the content of a problem or sweep file
};

/// Where in the user's input something stands. `source` is a file as the user named it, or "--set KEY", "--seed" ...
struct Location {
  std::string source;
  int line = 0;    // from 1; 0: no line
  int column = 0;  // from 1; 0: no column

  [[nodiscard]] std::string text() const;  // "problem.toml:14:3", "problem.toml:14", "--set stop.evaluations"
};

/// Thrown where a fact is known, caught once in main. what() is the whole message, ready to print.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// throw Error with a formatted message.
template <typename... Args>
[[noreturn]] void fail(ExitCode code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// The same, with "where: " before the message.
template <typename... Args>
[[noreturn]] void fail_at(ExitCode code, const Location& where, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, where.text() + ": " + fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace atl
