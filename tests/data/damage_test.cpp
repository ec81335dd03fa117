// Files damaged at random: each is read or refused with a documented code and the place in it, never a crash. Run under
// the sanitizers too.
#include "damage.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/error.hpp"
#include "data/npy_file.hpp"
#include "data/table.hpp"
#include "scratch.hpp"
#include "store/hdf5.hpp"

namespace atl::data {
namespace {

using test::Mutator;
using test::ScratchFolder;

const std::vector<std::string> pieces{"\"",  "\"\"", ",",     "\r", "\n\n",    "NA", "1e999", "#",
                                      "inf", "\t",   "1,5;2", "(",  "'shape'", "-",  " ",     "99999999999999999999"};

bool has_number_behind(const std::string& text, const std::string& start) {
  const std::size_t at = text.find(start);
  return at != std::string::npos && text.find_first_of("0123456789", at + start.size()) == at + start.size();
}

// "t.csv:3", "t.npy: byte 80", "t.h5:/table", or an HDF5 file as a whole.
bool tells_the_place(const std::string& message, const std::string& path) {
  return has_number_behind(message, path + ":") || has_number_behind(message, path + ": byte ") ||
         message.starts_with(path + ":/") || message.starts_with(path + ": the file holds ") ||
         message.starts_with(path + ": the file is damaged") ||
         message.starts_with(path + " is not a readable HDF5 file");
}

// Reads the damaged file; a table must be whole, a refusal must have a documented code and a message.
bool reads_or_refuses(const std::string& path, const std::string& dataset, Missing missing) {
  try {
    const Table table = read_table(path + dataset, {.missing = missing}, {});
    EXPECT_GT(table.rows, 0U);
    EXPECT_GT(table.columns(), 0U);
    EXPECT_EQ(table.values.size(), table.rows * table.columns());
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data) << error.what();
    EXPECT_TRUE(tells_the_place(error.what(), path)) << error.what();
    return false;
  }
}

// Reads `rounds` files that damage(mutator) makes.
template <typename Damage>
void damage_many(int rounds, const std::string& name, const std::string& dataset, const Damage& damage) {
  const ScratchFolder folder;
  Mutator mutator(1, pieces);
  int read = 0;
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    const std::string path = folder.write(name, damage(mutator));
    read += reads_or_refuses(path, dataset, round % 2 == 0 ? Missing::error : Missing::ignore) ? 1 : 0;
  }
  EXPECT_GT(read, 0);       // the damage is small enough to reach the inside of the reader
  EXPECT_LT(read, rounds);  // and large enough to be noticed
}

TEST(DamagedTable, CsvIsReadOrRefused) {
  const std::string good = "# points\n\"a, b\",c,\"d\"\"e\"\n1,2.5,-3e4\n4,nan,6\n\"7\",8,9\r\n10,,12\n";
  damage_many(300, "t.csv", "", [&](Mutator& mutator) { return mutator.text(good); });
}

TEST(DamagedTable, BlankSeparatedTextIsReadOrRefused) {
  const std::string good = "x  y z\n1 2 3\n 4  5 6 \n+7 8e-2 .9\n";
  damage_many(200, "t.txt", "", [&](Mutator& mutator) { return mutator.text(good); });
}

TEST(DamagedTable, NpyIsReadOrRefused) {
  const std::array<double, 6> stored{1, 2, 3, 4, 5, 6};
  const std::string good = test::npy_file("<f8", true, "(3, 2)", test::npy_elements(stored));
  damage_many(200, "t.npy", "",
              [&](Mutator& mutator) { return mutator.below(2) == 0 ? mutator.text(good) : mutator.binary(good); });
}

TEST(DamagedTable, NpyHeadersAreReadOrRefused) {
  const std::string good = test::npy_file(">i2", false, "(2, 3)", "abcdefghijkl");
  constexpr std::size_t start = 10;
  const std::size_t length = good.find('}') + 1 - start;
  damage_many(200, "t.npy", "", [&](Mutator& mutator) {
    return std::string(good).replace(start, length, mutator.text(good.substr(start, length)));
  });
}

std::string hdf5_table() {
  const std::vector<double> six{1, 2, 3, 4, 5, 6};
  store::MemoryFile file;
  file.write("/group/table", six, {3, 2});
  file.attribute("/group/table", "names", std::vector<std::string>{"a", "b"});
  const std::vector<std::byte> bytes = file.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(DamagedTable, Hdf5IsReadOrRefused) {
  const std::string good = hdf5_table();
  for (const char* const dataset : {":/group/table", ""})
    damage_many(200, "t.h5", dataset, [&](Mutator& mutator) { return mutator.binary(good); });
}

// The length of the first name: libhdf5 1.10 copies so many bytes, wherever they end.
TEST(DamagedTable, Hdf5ThatItsLibraryDoesNotSurviveIsRefused) {
  std::string bytes = hdf5_table();
  const std::size_t length = bytes.find("GCOL") + 24;
  bytes[length + 4] = 0x7f;
  const ScratchFolder folder;

  EXPECT_FALSE(reads_or_refuses(folder.write("t.h5", bytes), "", Missing::error));
}

}  // namespace
}  // namespace atl::data
