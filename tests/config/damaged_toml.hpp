// What the tests of damaged problem and sweep files share.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "damage.hpp"
#include "scratch.hpp"

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

/// A good file to damage, and how a damaged one may be refused.
struct GoodToml {
  std::string text;
  std::vector<int> codes = {78};
  std::string table = {};  // a message may tell a line of this file instead
};

/// Damages the good file 1,000 times and gives each to load(file): it loads, or ends in one Error that tells the place.
template <typename Load>
void expect_loaded_or_refused_with_its_line(const ScratchFolder& folder, const GoodToml& good, std::uint64_t seed,
                                            const Load& load) {
  Mutator mutator = toml_mutator(seed);
  int refused = 0;
  constexpr int files = 1000;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.text(good.text);
    const std::string file = folder.write("damaged.toml", text);
    const Verdict verdict = verdict_of([&] { load(file); });
    if (verdict.code == 0) continue;
    ++refused;
    SCOPED_TRACE(verdict.message + "\nfile " + std::to_string(i) + ":\n" + text);
    EXPECT_NE(std::find(good.codes.begin(), good.codes.end(), verdict.code), good.codes.end()) << verdict.code;
    EXPECT_TRUE(tells_line(verdict.message, file) || (!good.table.empty() && tells_line(verdict.message, good.table)));
  }
  EXPECT_GT(refused, files / 4);  // the damage is real
  EXPECT_LT(refused, files);
}

}  // namespace atl::test
