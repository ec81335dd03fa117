// A folder of a test's own, and what a call threw.
#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "base/error.hpp"

namespace atl::test {

/// A folder for the files of one test, removed with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "atoll-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the test: " + pattern);
    path_ = pattern;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(*this / name, std::ios::binary) << content;
    return *this / name;
  }

  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  [[nodiscard]] std::size_t entries() const {
    const std::filesystem::directory_iterator folder(path_);
    return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
  }

 private:
  std::string path_;
};

/// The exit code of the Error that `call` throws; `done` when it throws none.
template <typename Call>
ExitCode code_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::done;
}

/// The message of the Error that `call` throws; empty when it throws none.
template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// "78 message" of the Error that `call` throws; "no error" when it throws none.
template <typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::to_string(static_cast<int>(error.code())) + " " + error.what();
  }
  return "no error";
}

}  // namespace atl::test
