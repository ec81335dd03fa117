// .npy files in every type and order that NumPy writes numbers in; hostile headers are refused before any allocation.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "data/npy_file.hpp"
#include "data/table.hpp"
#include "scratch.hpp"

namespace atl::data {
namespace {

using test::code_of;
using test::message_of;
using test::npy_elements;
using test::npy_file;
using test::ScratchFolder;
using Values = std::vector<double>;

const Location nowhere;

Table read(const std::string& content, const TableOptions& options = {}) {
  const ScratchFolder folder;
  return read_table(folder.write("t.npy", content), options, nowhere);
}

std::string refusal(const std::string& content, const TableOptions& options = {}) {
  const ScratchFolder folder;
  const std::string path = folder.write("t.npy", content);
  std::string message = message_of([&] { (void)read_table(path, options, nowhere); });
  if (const auto at = message.find(path); at != std::string::npos) message.replace(at, path.size(), "t.npy");
  return message;
}

TEST(Npy, COrderIsRowByRowAndFortranOrderColumnByColumn) {
  const std::array<double, 6> stored{1, 2, 3, 4, 5, 6};

  const Table c = read(npy_file("<f8", false, "(2, 3)", npy_elements(stored)));
  const Table fortran = read(npy_file("<f8", true, "(2, 3)", npy_elements(stored)));

  EXPECT_EQ(c.rows, 2U);
  EXPECT_EQ(c.columns(), 3U);
  EXPECT_EQ(c.values, (Values{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(fortran.rows, 2U);
  EXPECT_EQ(fortran.values, (Values{1, 2, 3, 4, 5, 6}));
}

TEST(Npy, OnlyColumnsInUseAreChecked) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::array<double, 4> stored{1, inf, 3, inf};
  const std::string file = npy_file("<f8", false, "(2, 2)", npy_elements(stored));

  const Table table = read(file, {.use = {"0"}});

  EXPECT_EQ(Values(table.values.begin(), table.values.begin() + 2), (Values{1, 3}));
  EXPECT_TRUE(std::isnan(table.values[2]));
  EXPECT_NE(refusal(file, {.use = {"1"}}).find("inf is not finite"), std::string::npos);
}

TEST(Npy, OneDimensionIsOneColumn) {
  const std::array<double, 3> stored{1, 2, 3};

  const Table table = read(npy_file("<f8", false, "(3,)", npy_elements(stored)), {.columns = {"y"}});

  EXPECT_EQ(table.rows, 3U);
  EXPECT_EQ(table.names, std::vector<std::string>{"y"});
}

template <typename T>
void expect_both_byte_orders(const std::string& type, const std::vector<T>& stored, const Values& expected) {
  for (const bool big_endian : {false, true}) {
    const std::string data = npy_elements(stored, big_endian);
    const Table table =
        read(npy_file((big_endian ? ">" : "<") + type, false, fmt::format("({},)", stored.size()), data));
    EXPECT_EQ(table.values, expected) << type << (big_endian ? " big" : " little");
  }
}

TEST(Npy, EveryTypeIsReadInBothByteOrders) {
  expect_both_byte_orders<double>("f8", {0.1, -2e300}, {0.1, -2e300});
  expect_both_byte_orders<float>("f4", {0.1F, -2e30F}, {double{0.1F}, double{-2e30F}});
  expect_both_byte_orders<std::uint16_t>("f2", {0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555},
                                         {1, -2, std::ldexp(1, -24), 65504, 0.333251953125});
  expect_both_byte_orders<std::int8_t>("i1", {-128, 127}, {-128, 127});
  expect_both_byte_orders<std::int16_t>("i2", {-2, 300}, {-2, 300});
  expect_both_byte_orders<std::int32_t>("i4", {-3, 1 << 30}, {-3, 1 << 30});
  expect_both_byte_orders<std::int64_t>("i8", {-4, 1LL << 53}, {-4, 9007199254740992.0});
  expect_both_byte_orders<std::uint8_t>("u1", {255}, {255});
  expect_both_byte_orders<std::uint16_t>("u2", {65535}, {65535});
  expect_both_byte_orders<std::uint32_t>("u4", {4294967295U}, {4294967295.0});
  expect_both_byte_orders<std::uint64_t>("u8", {1ULL << 63}, {std::ldexp(1, 63)});
  EXPECT_EQ(read(npy_file("|b1", false, "(3,)", std::string("\1\0\1", 3))).values, (Values{1, 0, 1}));
}

TEST(Npy, HeadersOfEveryVersionAreRead) {
  const std::array<double, 1> stored{7};

  for (const int version : {1, 2, 3})
    EXPECT_EQ(read(npy_file("<f8", false, "(1, 1)", npy_elements(stored), version)).values, Values{7}) << version;
}

TEST(Npy, TypesThatAreNoNumbersAreRefusedByName) {
  EXPECT_EQ(refusal(npy_file("|O", false, "(2,)", std::string(16, 'x'))),
            "t.npy: byte 24: an npy array of objects ('|O') is not read; save numbers");
  EXPECT_NE(refusal(npy_file("<U4", false, "(2,)", std::string(32, 'x'))).find("of text"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<c16", false, "(2,)", std::string(32, 'x'))).find("of complex"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<M8[s]", false, "(2,)", std::string(16, 'x'))).find("of dates"), std::string::npos);
  for (const char* const type : {"<f", "i", "?1", "f2 f4", "u08", "f1", "b2", "i3", "f:", "", "<"})
    EXPECT_NE(refusal(npy_file(type, false, "(2,)", "abcdefghijklmnop")).find("is not read"), std::string::npos)
        << type;
  EXPECT_NE(refusal(npy_file("<f16", false, "(2,)", std::string(32, 'x'))).find("'<f16' is not read"),
            std::string::npos);
  std::string structured = npy_file("XX", false, "(2,)", std::string(16, 'x'));
  structured.replace(structured.find("'XX'"), 4, "[(1)");
  EXPECT_NE(refusal(structured).find("structured npy arrays are not read"), std::string::npos) << refusal(structured);
}

TEST(Npy, ShapesThatTheFileDoesNotHoldAreRefusedBeforeAllocation) {
  const std::string eight(8, '\0');

  EXPECT_EQ(refusal(npy_file("<f8", false, "(1152921504606846976, 16)", eight)),
            "t.npy: byte 128: 8 bytes of data do not make a shape of (1152921504606846976, 16) with 8 bytes an "
            "element");
  for (const char* shape : {"(1152921504606846976,)", "(4294967296, 4294967296)", "(2,)", "(1, 2)",
                            "(2305843009213693953, 1)", "(99999999999999999999999,)"})
    EXPECT_EQ(code_of([&] { (void)read(npy_file("<f8", false, shape, eight)); }), ExitCode::bad_data) << shape;
  EXPECT_NE(refusal(npy_file("<f8", false, "(1,)", eight + "x")).find("9 bytes of data"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<f8", false, "()", eight)).find("1 or 2 dimensions"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<f8", false, "(1, 1, 1)", eight)).find("shape (1, 1, 1)"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<f8", false, "(0, 3)", "")).find("no cells"), std::string::npos);
  EXPECT_NE(refusal(npy_file("<f8", false, "(-1,)", eight)).find("expected an extent"), std::string::npos);
}

TEST(Npy, BadValuesCarryRowColumnAndByte) {
  const std::array<double, 4> stored{1, 2, 3, std::nan("")};
  const std::array<double, 4> infinite{1, -HUGE_VAL, 3, 4};
  const std::string missing = npy_file("<f8", false, "(2, 2)", npy_elements(stored));

  EXPECT_EQ(refusal(missing), "t.npy: byte 152: row 2, column 2: the value is missing (nan)");
  EXPECT_TRUE(std::isnan(read(missing, {.missing = Missing::ignore}).values[3]));
  EXPECT_EQ(refusal(npy_file("<f8", false, "(2, 2)", npy_elements(infinite)), {.columns = {"a", "b"}}),
            "t.npy: byte 136: row 1, column 2 (\"b\"): -inf is not finite");
}

TEST(Npy, BrokenHeadersAreRefusedWithTheByte) {
  const std::string good = npy_file("<f8", false, "(1,)", std::string(8, '\0'));

  EXPECT_EQ(refusal(""), "t.npy: byte 0: not an npy file");
  EXPECT_EQ(refusal("a,b\n1,2\n"), "t.npy: byte 0: not an npy file");
  EXPECT_EQ(refusal(good.substr(0, 9)), "t.npy: byte 9: the npy header is cut off");
  EXPECT_EQ(refusal(good.substr(0, 40)), "t.npy: byte 8: an npy header of 118 bytes, but only 30 follow");
  std::string version = good;
  version[6] = 9;
  EXPECT_EQ(refusal(version), "t.npy: byte 6: npy version 9 is not read; 1, 2 and 3 are");
}

}  // namespace
}  // namespace atl::data
