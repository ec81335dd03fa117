// What the tests of damaged problem and sweep files share.
#pragma once
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "damage.hpp"

namespace atl::test {

/// What TOML readers trip over.
inline Mutator toml_mutator(std::uint64_t seed) {
  std::istringstream words(
      "[ ] [[ [= { } = . , .. : + - # \\ \" ' \"\"\" ''' \\u00 \\UFFFFFFFF true fals nan inf -inf -1 1_ 0x 0b2 "
      "1e18 1e999 9999999999999999999999 1979-05-27 25:61:00 a.b.c \x7f \xff \xc2\x85 \xc3\xa9 \xe2\x80\xa8 "
      "\xef\xbb\xbf");
  std::vector<std::string> pieces{"\n", "\r", "\r\n", std::string(1, '\0')};
  pieces.insert(pieces.end(), std::istream_iterator<std::string>(words), {});
  return Mutator(seed, pieces);
}

/// True where `message` tells the line, as "FILE:3: ..." does; what is absent has none, and then the file is told.
inline bool tells_line(const std::string& message, const std::string& file) {
  const std::size_t at = message.find(file + ":");
  if (at == std::string::npos) return false;
  const std::size_t next = at + file.size() + 1;
  const bool absent = message.find(" missing") != std::string::npos || message.find(" needs ") != std::string::npos;
  return message.find_first_of("0123456789", next) == next || absent;
}

}  // namespace atl::test
