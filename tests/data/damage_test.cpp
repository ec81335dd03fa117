// Files damaged at random: each is read or refused with a documented code, never a crash. Run under the sanitizers too.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "base/error.hpp"
#include "data/npy_file.hpp"
#include "data/table.hpp"
#include "store/scratch.hpp"

namespace atl::data {
namespace {

using test::ScratchFolder;

constexpr int rounds = 300;

std::size_t draw(std::mt19937_64& random, std::size_t below) {
  return random() % below;
}

// One small damage: bytes changed, removed, doubled, cut off, or a token that readers trip over.
void damage(std::string& content, std::mt19937_64& random) {
  static const std::array<std::string, 14> tokens{
      "\"", "\"\"", ",",  "\r",    "\n\n", "NA",      "1e999",
      "#",  "inf",  "\t", "1,5;2", "(",    "'shape'", "99999999999999999999"};
  const std::size_t at = draw(random, content.size() + 1);
  const std::size_t length = std::min(draw(random, 12), content.size() - at);
  switch (draw(random, 6)) {
    case 0:
      if (at < content.size()) content[at] = static_cast<char>(random());
      break;
    case 1:
      content.erase(at, length);
      break;
    case 2:
      content.insert(at, content.substr(at, length));
      break;
    case 3:
      content.resize(at);
      break;
    case 4:
      content.insert(at, tokens[draw(random, tokens.size())]);
      break;
    default:
      if (at < content.size()) content[at] = static_cast<char>(content[at] ^ (1 << draw(random, 8)));
  }
}

// Reads the damaged file; a table must be whole, a refusal must have a documented code and a message.
bool reads_or_refuses(const std::string& path, Missing missing) {
  try {
    const Table table = read_table(path, {.missing = missing}, {});
    EXPECT_GT(table.rows, 0U);
    EXPECT_GT(table.columns(), 0U);
    EXPECT_EQ(table.values.size(), table.rows * table.columns());
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return false;
  }
}

void damage_many(const std::string& name, const std::string& good) {
  const ScratchFolder folder;
  std::mt19937_64 random(1);
  int read = 0;
  for (int round = 0; round < rounds; ++round) {
    std::string content = good;
    for (std::size_t times = 1 + draw(random, 4); times > 0; --times) damage(content, random);
    SCOPED_TRACE(fmt::format("round {}", round));
    read += reads_or_refuses(folder.write(name, content), round % 2 == 0 ? Missing::error : Missing::ignore) ? 1 : 0;
  }
  EXPECT_GT(read, 0);       // the damage is small enough to reach the inside of the reader
  EXPECT_LT(read, rounds);  // and large enough to be noticed
}

TEST(DamagedTable, CsvIsReadOrRefused) {
  damage_many("t.csv", "# points\n\"a, b\",c,\"d\"\"e\"\n1,2.5,-3e4\n4,nan,6\n\"7\",8,9\r\n10,,12\n");
}

TEST(DamagedTable, BlankSeparatedTextIsReadOrRefused) {
  damage_many("t.txt", "x  y z\n1 2 3\n 4  5 6 \n+7 8e-2 .9\n");
}

TEST(DamagedTable, NpyIsReadOrRefused) {
  const std::array<double, 6> stored{1, 2, 3, 4, 5, 6};
  damage_many("t.npy", test::npy_file("<f8", true, "(3, 2)", test::npy_elements(stored)));
}

TEST(DamagedTable, NpyHeadersAreReadOrRefused) {
  const ScratchFolder folder;
  std::mt19937_64 random(2);
  const std::string good = test::npy_file(">i2", false, "(2, 3)", "abcdefghijkl");
  for (int round = 0; round < rounds; ++round) {
    std::string dictionary = good.substr(10, good.find('}') - 9);
    damage(dictionary, random);
    SCOPED_TRACE(fmt::format("round {}: {}", round, dictionary));
    std::string content = good;
    content.replace(10, good.find('}') - 9, dictionary);
    reads_or_refuses(folder.write("t.npy", content), Missing::error);
  }
}

}  // namespace
}  // namespace atl::data
