// Tables from HDF5 datasets.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "data/table.hpp"
#include "scratch.hpp"
#include "store/hdf5.hpp"

namespace atl::data {
namespace {

using test::code_of;
using test::message_of;
using test::ScratchFolder;
using Values = std::vector<double>;

const Location nowhere;

// A file with a table, a column, a cube, integers and nothing.
void write_file(const std::string& path) {
  store::MemoryFile file;
  const Values six{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> integers{-1, 2};
  const std::vector<std::uint8_t> flags{0, 1};
  file.write("/group/table", six, {2, 3});
  file.attribute("/group/table", "names", std::vector<std::string>{"a", "b", "c"});
  file.write("/column", six, {6});
  file.write("/cube", six, {1, 2, 3});
  file.write("/integers", integers, {2});
  file.write("/flags", flags, {2});
  file.write("/none", std::span<const double>(), {0, 2});
  file.write("/text", {"a"});
  store::write_atomically(path, file.bytes());
}

class H5Table : public ::testing::Test {
 protected:
  H5Table() { write_file(folder_ / "t.h5"); }
  [[nodiscard]] Table read(const std::string& dataset, const TableOptions& options = {}) const {
    return read_table(folder_ / "t.h5" + dataset, options, nowhere);
  }
  [[nodiscard]] std::string refusal(const std::string& dataset) const {
    return message_of([&] { (void)read(dataset); });
  }
  ScratchFolder folder_;
};

TEST_F(H5Table, TwoDimensionsAreATableWithTheNamesOfItsAttribute) {
  const Table table = read(":/group/table");

  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(table.named);
  EXPECT_EQ(table.values, (Values{1, 4, 2, 5, 3, 6}));
}

TEST_F(H5Table, OneDimensionIsOneColumnOfFloatsIntegersOrFlags) {
  EXPECT_EQ(read(":/column", {.columns = {"y"}}).values, (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(read(":/integers").values, (Values{-1, 2}));
  EXPECT_EQ(read(":/flags").values, (Values{0, 1}));
  EXPECT_EQ(read(":column").columns(), 1U);
}

TEST_F(H5Table, WhatIsNoTableIsRefusedWithItsPath) {
  const std::string file = folder_ / "t.h5";

  EXPECT_EQ(refusal(":/nothing"), file +
                                      ":/nothing: no such dataset; the file holds /column, /cube, /flags, "
                                      "/integers, /none, /text, /group/table");
  EXPECT_EQ(refusal(":/cube"), file + ":/cube: a dataset of shape (1, 2, 3); a table has 1 or 2 dimensions");
  EXPECT_EQ(refusal(":/none"), file + ":/none: a dataset of shape (0, 2) has no cells");
  EXPECT_EQ(refusal(":/text"), file + ":/text: does not hold real numbers");
  EXPECT_EQ(refusal(":/group"), file + ":/group: is a group, not a dataset");
  EXPECT_NE(refusal("").find("name a dataset, as in " + file + ":/column"), std::string::npos);
  EXPECT_EQ(code_of([&] { (void)read(":/nothing"); }), ExitCode::bad_data);
}

TEST_F(H5Table, TheOnlyDatasetOfAFileNeedsNoPath) {
  store::MemoryFile file;
  const Values two{1, 2};
  file.write("/deep/inside", two, {2});
  store::write_atomically(folder_ / "one.h5", file.bytes());

  EXPECT_EQ(read_table(folder_ / "one.h5", {}, nowhere).values, two);
}

TEST_F(H5Table, MissingCellsFollowTheCallersWish) {
  store::MemoryFile file;
  const Values cells{1, std::nan(""), 3, 4};
  file.write("/x", cells, {2, 2});
  store::write_atomically(folder_ / "nan.h5", file.bytes());
  const std::string path = folder_ / "nan.h5:/x";

  EXPECT_EQ(message_of([&] { (void)read_table(path, {}, nowhere); }),
            path + ": row 1, column 2: the value is missing (nan)");
  EXPECT_TRUE(std::isnan(read_table(path, {.missing = Missing::ignore}, nowhere).values[2]));
}

}  // namespace
}  // namespace atl::data
