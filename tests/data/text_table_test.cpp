// Text tables as people have them: read right, or refused with the file's line. Never a silently wrong shape.
#include <gtest/gtest.h>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "data/table.hpp"
#include "scratch.hpp"

namespace atl::data {
namespace {

using test::code_of;
using test::message_of;
using test::ScratchFolder;
using Names = std::vector<std::string>;
using Values = std::vector<double>;

const Location nowhere;

Table read(const std::string& content, const TableOptions& options = {}, const std::string& name = "t.csv") {
  const ScratchFolder folder;
  return read_table(folder.write(name, content), options, nowhere);
}

// The message without the folder of the test; "" when the table was read.
std::string refusal(const std::string& content, const TableOptions& options = {}) {
  const ScratchFolder folder;
  const std::string path = folder.write("t.csv", content);
  std::string message = message_of([&] { (void)read_table(path, options, nowhere); });
  if (const auto at = message.find(path); at != std::string::npos) message.replace(at, path.size(), "t.csv");
  return message;
}

TEST(TextTable, TwoRowsOfTwoNumbersAreTwoRowsOfTwoColumns) {
  const Table table = read("1,2\n3,4");

  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns(), 2U);
  EXPECT_EQ(table.values, (Values{1, 3, 2, 4}));  // column by column
  EXPECT_EQ(table.names, (Names{"0", "1"}));
  EXPECT_FALSE(table.named);
}

TEST(TextTable, EverySeparatorLineEndAndMarkGivesTheSameTable) {
  for (const char* content :
       {"x,y\n1,2\n3,4\n", "x;y\n1;2\n3;4\n", "x\ty\n1\t2\n3\t4\n", "x y\n1 2\n3 4\n", "x,y\r\n1,2\r\n3,4\r\n",
        "x,y\r1,2\r3,4\r", "\xef\xbb\xbfx,y\n1,2\n3,4\n", "\"x\",\"y\"\n1,2\n3,4\n",
        "# a note\nx,y\n1,2\n  # other\n3,4\n", "\n\nx,y\n1,2\n\n3,4\n\n", "x , y\n 1 , 2 \n 3, 4\n",
        "  x   y \n 1\t 2\n3   4  \n", "x,y\n\"1\",2\n3,\"4\"", "x,y\n+1,2.0\n3e0,.4E+1\n"}) {
    const Table table = read(content);

    EXPECT_EQ(table.names, (Names{"x", "y"})) << content;
    EXPECT_TRUE(table.named) << content;
    EXPECT_EQ(table.rows, 2U) << content;
    EXPECT_EQ(table.values, (Values{1, 3, 2, 4})) << content;
  }
}

TEST(TextTable, TheEndingOfTheNameDoesNotDecideTheSeparator) {
  for (const char* name : {"t.csv", "t.tsv", "t.txt", "t.dat", "t.CSV"})
    EXPECT_EQ(read("x\ty\n1\t2\n", {}, name).values, (Values{1, 2})) << name;
}

TEST(TextTable, QuotedNamesMayHoldSeparatorsQuotesAndNumbersSigns) {
  const Table table = read("\"a, b\",\"say \"\"x\"\"\",\"#c\"\n1,2,3\n");

  EXPECT_EQ(table.names, (Names{"a, b", "say \"x\"", "#c"}));
}

TEST(TextTable, OneColumnNeedsNoSeparator) {
  EXPECT_EQ(read("1\n2\n3\n").values, (Values{1, 2, 3}));
  EXPECT_EQ(read("y\n1\n2\n").names, Names{"y"});
  EXPECT_EQ(read("\"the y\"\n1\n2\n").names, Names{"the y"});
  EXPECT_EQ(read("5").rows, 1U);
}

TEST(TextTable, NamesMayComeFromTheCaller) {
  const Table table = read("1,2\n3,4\n", {.columns = {"x", "y"}});

  EXPECT_EQ(table.find("y"), 1U);
  EXPECT_EQ(table.find("z"), table.columns());
  EXPECT_TRUE(table.named);
}

TEST(TextTable, NamesThatContradictTheFileAreAConfigurationFault) {
  const ScratchFolder folder;
  const std::string named = folder.write("a.csv", "x,y\n1,2\n"), plain = folder.write("b.csv", "1,2\n");
  const Location where{"p.toml", 4};

  const auto beside = [&] { (void)read_table(named, {.columns = {"a", "b"}}, where); };
  const auto count = [&] { (void)read_table(plain, {.columns = {"a"}}, where); };

  EXPECT_EQ(code_of(beside), ExitCode::bad_configuration);
  EXPECT_EQ(message_of(beside), "p.toml:4: column names are given, but the file has its own (" + named + ":1)");
  EXPECT_EQ(message_of(count), "p.toml:4: 1 column names are given, but " + plain + " has 2 columns");
}

TEST(TextTable, ABadCellIsRefusedWithItsRowItsColumnAndItsLine) {
  std::string content = "a,b\n";
  for (int row = 1; row <= 20; ++row) content += row == 17 ? "17,CELL\n" : fmt::format("{},0\n", row);
  const auto with = [&](const std::string& cell) {
    std::string damaged = content;
    return refusal(damaged.replace(damaged.find("CELL"), 4, cell));
  };

  EXPECT_EQ(with("nan"), "t.csv:18: row 17, column 2 (\"b\"): the value is missing (\"nan\")");
  EXPECT_EQ(with(""), "t.csv:18: row 17, column 2 (\"b\"): the cell is empty");
  EXPECT_EQ(with("NA"), "t.csv:18: row 17, column 2 (\"b\"): the value is missing (\"NA\")");
  EXPECT_EQ(with("abc"), "t.csv:18: row 17, column 2 (\"b\"): \"abc\" is not a number");
  EXPECT_EQ(with("-inf"), "t.csv:18: row 17, column 2 (\"b\"): \"-inf\" is not finite");
  EXPECT_EQ(with("1e999"), "t.csv:18: row 17, column 2 (\"b\"): \"1e999\" is beyond the largest double (1.8e+308)");
  EXPECT_EQ(with("\"1,5\""),
            "t.csv:18: row 17, column 2 (\"b\"): \"1,5\" has a decimal comma or thousands separators; "
            "write 1234.5");
  for (const char* cell : {"0x10", "1e", "--1", "+-1", "1 2", "1_000", "5%", "1.2.3", "+", "1d3"})
    EXPECT_EQ(with(cell), fmt::format("t.csv:18: row 17, column 2 (\"b\"): \"{}\" is not a number", cell));
}

TEST(TextTable, MissingCellsBecomeNanWhereTheCallerAllowsThem) {
  const Table table = read("a,b,c\n1,,NA\nnan,2,-nan\n \t,na,NaN\n", {.missing = Missing::ignore});

  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(std::count_if(table.values.begin(), table.values.end(), [](double v) { return std::isnan(v); }), 7);
  EXPECT_EQ(table.values[0], 1);
  EXPECT_EQ(table.values[4], 2);
  EXPECT_EQ(refusal("a,b\n1,x\n", {.missing = Missing::ignore}),
            "t.csv:2: row 1, column 2 (\"b\"): \"x\" is not a number");
}

TEST(TextTable, DecimalCommasAreRefusedByName) {
  for (const char* content : {"1,5;2,5\n3,5;4,5\n", "1,5\t2,5\n", "1,5 2,5\n3 4,5\n", "1.234,5;2\n"})
    EXPECT_NE(refusal(content).find("decimal comma"), std::string::npos) << content << refusal(content);
  EXPECT_NE(refusal("1,5 2,5\n3,5 4,5\n"), "");
}

TEST(TextTable, RowsOfDifferentLengthAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal("1,2\n3,4,5\n"), "t.csv:2: 3 cells, but line 1 has 2 (separator ',')");
  EXPECT_EQ(refusal("# c\nx,y\n1,2\n3\n"), "t.csv:4: 1 cell, but line 2 has 2 (separator ',')");
  EXPECT_EQ(refusal("1\n2\n3,4\n"), "t.csv:3: 2 cells, but line 1 has 1 (separator ',')");
  EXPECT_EQ(refusal("the y\n1\n2\n"),
            "t.csv:2: 1 cell, but line 1 has 2 (separator blanks; a name with blanks needs quotes)");
}

TEST(TextTable, AFirstRowThatIsHalfAHeaderIsRefusedWithTheReason) {
  EXPECT_EQ(refusal(",a,b\n1,2,3\n"),
            "t.csv:1: row 1, column 1: the cell is empty (no header, because column 1 of this first row is empty; a "
            "header has a name in every column)");
  EXPECT_EQ(refusal("a,2\n1,2\n"),
            "t.csv:1: row 1, column 1: \"a\" is not a number (no header, because column 2 of this first row holds "
            "\"2\"; a header has a name in every column)");
}

TEST(TextTable, BrokenTextIsRefusedWithItsLine) {
  EXPECT_EQ(refusal(""), "t.csv:1: no rows");
  EXPECT_EQ(refusal("# only\n\n"), "t.csv:1: no rows");
  EXPECT_EQ(refusal("x,y\n"), "t.csv:1: a header and no rows below it");
  EXPECT_EQ(refusal("x,x\n1,2\n"), "t.csv:1: columns 1 and 2 are both called \"x\"");
  EXPECT_EQ(refusal("gr\xf6\xdf"
                    "e,y\n1,2\n"),
            "t.csv:1: the name of column 1 is not UTF-8");
  EXPECT_EQ(refusal("\xff\xfe\x01"), "t.csv:1: UTF-16 text; save it as UTF-8");
  EXPECT_EQ(refusal(std::string("1,2\n3,\0004\n", 9)), "t.csv:2: a byte 0x00: this is not a text table");
  EXPECT_EQ(refusal("\"x,y\n1,2\n"), "t.csv:1: a quote that does not end with its cell");
  EXPECT_EQ(refusal("x,y\n\"1\"2,3\n"), "t.csv:2: a quote that does not end with its cell");
  EXPECT_EQ(refusal("1\n\n2\n"),
            "t.csv:2: a blank line inside a file of one column: write NA for a missing value, or delete the line");
}

TEST(TextTable, NumbersAreRoundedCorrectlyToTheLastBit) {
  const Table table = read("0.1,1e23,4.9e-324,1e-400,-1e-400,179769313486231570e291,9007199254740993\n");

  EXPECT_EQ(table.values[0], 0.1);
  EXPECT_EQ(table.values[1], 1e23);
  EXPECT_EQ(table.values[2], std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(table.values[3], 0);
  EXPECT_TRUE(std::signbit(table.values[4]));
  EXPECT_EQ(table.values[5], std::numeric_limits<double>::max());
  EXPECT_EQ(table.values[6], 9007199254740992.0);
}

TEST(TextTable, TheLocaleOfTheProcessChangesNothing) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  const char* const german = std::setlocale(LC_ALL, "de_DE.UTF-8");
  if (german == nullptr) std::setlocale(LC_ALL, "");

  const Table table = read("1.5;2.5\n");

  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(table.values, (Values{1.5, 2.5}));
}

TEST(ReadTable, FilesThatAreNotThereCarryThePlaceThatNamesThem) {
  const ScratchFolder folder;
  const Location where{"p.toml", 3, 8};
  const auto reading = [&](const std::string& name) {
    return [&, name] { (void)read_table(folder / name, {}, where); };
  };

  EXPECT_EQ(code_of(reading("no.csv")), ExitCode::missing_input);
  EXPECT_EQ(message_of(reading("no.csv")), "p.toml:3:8: cannot read " + (folder / "no.csv: No such file or directory"));
  EXPECT_EQ(message_of(reading("no.npy")), "p.toml:3:8: cannot read " + (folder / "no.npy: No such file or directory"));
  EXPECT_EQ(message_of(reading("no.h5:/x")),
            "p.toml:3:8: cannot read " + (folder / "no.h5: No such file or directory"));
  EXPECT_EQ(code_of(reading("no.xlsx")), ExitCode::bad_data);
}

TEST(TextTable, OnlyColumnsInUseAreChecked) {
  const std::string content = "name,x,y\nfoo,1,2\n1e999,3,\n";

  const Table table = read(content, {.use = {"x"}});

  EXPECT_EQ(table.names, (Names{"name", "x", "y"}));
  EXPECT_EQ(Values(table.values.begin() + 2, table.values.begin() + 4), (Values{1, 3}));
  EXPECT_TRUE(std::isnan(table.values[0]) && std::isnan(table.values[5]));
  EXPECT_EQ(refusal(content, {.use = {"x", "y"}}), "t.csv:3: row 2, column 3 (\"y\"): the cell is empty");
}

TEST(Fingerprint, SpeaksOfNamesShapeAndValuesAndNotOfTheFormat) {
  const Table base = read("x,y\n1,2\n3,4\n");

  EXPECT_EQ(fingerprint(base), fingerprint(read("x;y\n1.0;2\n3;4e0\n", {}, "other.txt")));
  EXPECT_NE(fingerprint(base), fingerprint(read("x,z\n1,2\n3,4\n")));
  EXPECT_NE(fingerprint(base), fingerprint(read("x,y\n1,2\n3,4.0000000000000009\n")));
  EXPECT_NE(fingerprint(read("1,2\n")), fingerprint(read("1\n2\n")));
}

}  // namespace
}  // namespace atl::data
