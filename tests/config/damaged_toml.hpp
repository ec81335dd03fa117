// What the tests of damaged problem and sweep files share.
#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"
#include "damage.hpp"

namespace atl::test {

/// What TOML readers trip over.
inline Mutator toml_mutator(std::uint64_t seed) {
  return Mutator(seed, {"[",
                        "]",
                        "[[",
                        "[=",
                        "{",
                        "}",
                        "=",
                        ".",
                        ",",
                        "\"",
                        "'",
                        "\"\"\"",
                        "'''",
                        "#",
                        "\\",
                        "\\u00",
                        "\n",
                        "\r\n",
                        "\r",
                        "nan",
                        "-inf",
                        "1e999",
                        "0x",
                        "0b2",
                        "1_",
                        "1e18",
                        "-1",
                        "\xff",
                        "true",
                        "fals",
                        "\xc3\xa9",
                        "\xe2\x80\xa8",
                        "\xc2\x85",
                        "\xef\xbb\xbf",
                        "\x7f",
                        "a.b.c",
                        "inf",
                        "+",
                        "-",
                        "\\UFFFFFFFF",
                        "..",
                        ":",
                        "1979-05-27",
                        "25:61:00",
                        "9999999999999999999999",
                        std::string(1, '\0')});
}

/// True where `message` tells the line, as "FILE:3: ..." does; what is absent has none, and then the file is told.
inline bool tells_line(const std::string& message, const std::string& file) {
  const std::size_t at = message.find(file + ":");
  if (at == std::string::npos) return false;
  const std::size_t next = at + file.size() + 1;
  const bool absent = message.find(" missing") != std::string::npos || message.find(" needs ") != std::string::npos;
  return message.find_first_of("0123456789", next) == next || absent;
}

/// How reading a file ended.
struct Verdict {
  int code = 0;  // of the Error; 0: it was accepted
  std::string message;
};

template <typename Read>
Verdict verdict_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return {static_cast<int>(error.code()), error.what()};
  }
  return {};
}

}  // namespace atl::test
