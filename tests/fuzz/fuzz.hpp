// What all fuzzers of this folder share: an input is accepted or refused with an Error of a documented code that tells
// the place; everything else ends the program, and libFuzzer keeps the input.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/error.hpp"

namespace atl::fuzz {

/// True where `message` has "SOURCE" + `marker` + a number in it, as in "t.csv:3" or "t.npy: byte 80".
inline bool tells_place(const std::string& message, const std::string& source, const std::string& marker) {
  const std::size_t at = message.find(source + marker);
  if (at == std::string::npos) return false;
  const std::size_t number = at + source.size() + marker.size();
  return number < message.size() && message[number] >= '0' && message[number] <= '9';
}

[[noreturn]] inline void wrong_refusal(const Error& error) {
  std::fprintf(stderr, "refused with %d: %s\n", static_cast<int>(error.code()), error.what());
  std::abort();
}

/// Runs read(); an Error must be of code 65, 66 or 78 and pass tells(message).
template <typename Read, typename Tells>
void read_or_refuse(const Read& read, const Tells& tells) {
  try {
    read();
  } catch (const Error& error) {
    const bool documented = error.code() == ExitCode::bad_data || error.code() == ExitCode::missing_input ||
                            error.code() == ExitCode::bad_configuration;
    if (!documented || !tells(error.what())) wrong_refusal(error);
  }
}

}  // namespace atl::fuzz
