#include "config/document.hpp"

#include <gtest/gtest.h>

#include "config/suggest.hpp"
#include "config/toml_text.hpp"
#include "scratch.hpp"

namespace atl::config {
namespace {

using test::error_of;

std::vector<std::string> keys_of(const Value& table) {
  std::vector<std::string> keys;
  for (const Value& item : table.items) keys.push_back(item.key);
  return keys;
}

TEST(Document, TablesKeepTheOrderOfTheFile) {
  const Document document = parse_document("[p]\nz = 1\nb.x = 2\na = 3\nb.y = 4\n[p.c]\n[o]\n[p.a0]\n", "f");

  EXPECT_EQ(keys_of(document.root), (std::vector<std::string>{"p", "o"}));
  EXPECT_EQ(keys_of(*document.root.find("p")), (std::vector<std::string>{"z", "b", "a", "c", "a0"}));
}

TEST(Document, EveryKindIsReadWithItsPlace) {
  const Document document =
      parse_document("a = 1_000\nb = 1e5\nc = true\nd = \"x\\\"y\"\ne = [1, 'two']\nf = 01:30:00\n", "f.toml");
  const Value& root = document.root;

  EXPECT_EQ(root.find("a")->integer, 1000);
  EXPECT_EQ(root.find("b")->real, 1e5);
  EXPECT_TRUE(root.find("c")->boolean);
  EXPECT_EQ(root.find("d")->text, "x\"y");
  EXPECT_EQ(root.find("e")->items.at(1).text, "two");
  EXPECT_EQ(root.find("f")->text, "01:30:00");
  EXPECT_EQ(root.find("c")->where.text(), "f.toml:3:1");
  EXPECT_EQ(root.find("g"), nullptr);
}

TEST(Document, ContentIsTheFirstCharacterInsideTheQuotes) {
  const Document document = parse_document(
      "a = \"x\"\n  b='x'\nc = \"\"\"x\"\"\"\nd = \"\"\"\nx\"\"\"\ne = '''\r\nx'''\nf = [\"\xC3\xA9\", \"x\"]\n", "f");
  const Value& root = document.root;

  EXPECT_EQ(root.find("a")->content.text(), "f:1:6");
  EXPECT_EQ(root.find("b")->content.text(), "f:2:6");
  EXPECT_EQ(root.find("c")->content.text(), "f:3:8");
  EXPECT_EQ(root.find("d")->content.text(), "f:5:1");
  EXPECT_EQ(root.find("e")->content.text(), "f:7:1");
  EXPECT_EQ(root.find("f")->items.at(1).content.text(), "f:8:12");
}

TEST(Document, SyntaxFaultsAreReportedWithLineAndColumnInPlainWords) {
  const std::pair<std::string, std::string> faults[] = {
      {"a = ring", "78 f:1:5: not a value: text needs quotes"},
      {"a = .5", "78 f:1:5: not a value: "},
      {"x = 1\na = True", "78 f:2:5: not a value: true and false"},
      {"a = 1\na = 2", "78 f:2:5: 'a' is given twice"},
      {"[a]\n[b]\n[a]", "78 f:3:1: 'a' is given twice"},
      {"a = {x = 1,\ny = 2}", "78 f:1:12: a table in { } must stand on one line"},
      {"a = \"x", "78 f:1:7: string: the text ends too early"},
      {"a = 1e999", "78 f:1:10: floating-point: '1e999' is not a number that a double can hold"},
      {"[=", "78 f:1:2: "},
      {"= 1", "78 f:1:1: "},
      {"a = 1 2", "78 f:1:7: expected a comment or whitespace, saw '2'"},
      {"a = 99999999999999999999", "78 f:1:"},
      {"a = \"\\q\"", "78 f:1:7: string: unknown escape sequence"}};

  for (const auto& [text, expected] : faults) {
    const std::string error = error_of([&, &text = text] { (void)parse_document(text, "f"); });

    EXPECT_EQ(error.substr(0, expected.size()), expected) << text;
  }
}

TEST(Document, BytesThatTheLibraryMustNotSeeAreRefused) {
  const std::pair<std::string, std::string> faults[] = {
      {std::string("a = 1\n\0", 7), "78 f:2:1: control byte 0x00"},
      {"a = \"\x1b[0m\"", "78 f:1:6: control byte 0x1B"},
      {"# \x7f", "78 f:1:3: control byte 0x7F"},
      {"a = 1\rb = 2", "78 f:1:6: control byte 0x0D"},
      {"a = \"\xff\"", "78 f:1:6: byte 0xFF is not valid UTF-8"},
      {"a = \"\xc0\xaf\"", "78 f:1:6: byte 0xC0"},          // overlong
      {"a = \"\xed\xa0\x80\"", "78 f:1:6: byte 0xED"},      // surrogate
      {"a = \"\xf4\x90\x80\x80\"", "78 f:1:6: byte 0xF4"},  // above U+10FFFF
      {"a = \"\xe2\x82", "78 f:1:6: byte 0xE2"},            // cut
      {"\xc3\xa9 = 1", "78 f:1:1: '\xc3\xa9' is not allowed outside quotes and comments"},
      {"a = \xe2\x80\x9cx\xe2\x80\x9d", "78 f:1:5: '\xe2\x80\x9c' is not allowed outside"},  // typographic quotes
      {"a = \"\"\"x\"\"\"\"\" \xc3\xa9", "78 f:1:15: '\xc3\xa9' is not"},
      {"a = '\\' \xc3\xa9", "78 f:1:9: '\xc3\xa9' is not"}};

  for (const auto& [text, expected] : faults) {
    const std::string error = error_of([&, &text = text] { (void)parse_document(text, "f"); });

    EXPECT_EQ(error.substr(0, expected.size()), expected) << text;
  }
}

TEST(Document, TextInStringsAndCommentsMayBeAnyUnicode) {
  const Document document = parse_document(
      "\xEF\xBB\xBF# \xC3\xA9\r\n\"\xC3\xA9\" = \"\xE2\x80\x9C \\\" \xC3\xA9\" # \xF0\x9F\x8F\x9D\nb = "
      "'''\xC3\xA9\n'\xC3\xA9'''\n",
      "f");

  EXPECT_EQ(document.root.find("\xC3\xA9")->text, "\xE2\x80\x9C \" \xC3\xA9");
  EXPECT_EQ(document.root.find("b")->text, "\xC3\xA9\n'\xC3\xA9");
}

// Where toml++ asks whether a character is white space: every such character must come through as it is.
TEST(Document, NonAsciiNextToEscapesAndContinuationsIsKept) {
  const Document document = parse_document(
      "a = \"\"\"x\\\n  \xC3\xA9\xE2\x80\xA8\xE3\x80\x80\xEF\xBF\xBD\"\"\" # \xC2\x85\nb = "
      "'\xF0\x9F\x8F\x9D\xC3\xA9'\n",
      "f");

  EXPECT_EQ(document.root.find("a")->text, "x\xC3\xA9\xE2\x80\xA8\xE3\x80\x80\xEF\xBF\xBD");
  EXPECT_EQ(document.root.find("b")->text, "\xF0\x9F\x8F\x9D\xC3\xA9");
  EXPECT_EQ(document.root.find("b")->where.text(), "f:3:1");
  for (const std::string text :
       {"a = \"\"\"\\\xC3\xA9\"\"\"", "a = 9\"\xC3\xA9\"", "a = \"\xF3\xB0\x83\xA9\"", "a = \"\\U000F00E9\""}) {
    EXPECT_EQ(error_of([&] { (void)parse_document(text, "f"); }).substr(0, 5), "78 f:") << text;
  }
}

TEST(Document, DeepNestingIsRefusedInsteadOfExhaustingTheStack) {
  std::string dots = "a";
  for (int i = 0; i < 100000; ++i) dots += ".a";
  const std::string texts[] = {dots + " = 1", "[" + dots + "]", "a = " + std::string(100000, '['),
                               "a = {" + dots + " = 1}", "a = " + std::string(100000, '{')};

  for (const std::string& text : texts) {
    const std::string error = error_of([&] { (void)parse_document(text, "f"); });

    EXPECT_EQ(error.substr(0, 5), "78 f:") << text.substr(0, 20);
  }
}

TEST(Document, AMissingFileAndAFolderAre66) {
  const test::ScratchFolder folder;

  EXPECT_EQ(error_of([&] { (void)read_document(folder / "no.toml"); }),
            "66 " + folder / "no.toml" + ": cannot be read: No such file or directory");
  EXPECT_EQ(error_of([&] { (void)read_document(folder / ""); }), "66 " + folder / "" + ": is a folder, not a file");
}

TEST(Override, ValuesAreTomlElseStringsAndReplaceWhole) {
  Document document = parse_document("[t]\nx = [1, 2]\ny = {a = 1, b = 2}\nz = 1\n", "f");

  apply(document, {{"t.y", "{a = 3}", "--set t.y"},
                   {"t.x", "ring", "--set t.x"},
                   {"t.z", "1", "--set t.z"},
                   {"t.z", "1e3", "--set t.z"},
                   {"u.v.w", "[1, ", "--set u.v.w"},
                   {"t.empty", "", "--set t.empty"},
                   {"t.lines", "1\nb = 2", "--set t.lines"}});

  EXPECT_EQ(toml_text(document.root),
            "{ t = { x = \"ring\", y = { a = 3 }, z = 1000.0, empty = \"\", lines = \"1\\nb = 2\" }, "
            "u = { v = { w = \"[1, \" } } }");
  EXPECT_EQ(document.root.find("t")->find("z")->where.text(), "--set t.z");
  EXPECT_FALSE(document.root.find("u")->in_file());
}

TEST(Override, AKeyThatCannotBeIsRefused) {
  Document document = parse_document("[t]\nx = [1, 2]\n", "f");

  for (const char* key : {"", ".", "t.", "t..x", "t x", "t.\xC3\xA9", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q"}) {
    const std::string error = error_of([&] { apply(document, {{key, "1", "--set"}}); });
    EXPECT_EQ(error.substr(0, 15), "78 --set: a key") << key;
  }
  EXPECT_EQ(error_of([&] {
              apply(document, {{"t.x.y", "1", "--set t.x.y"}});
            }),
            "78 --set t.x.y: x (f:2:1) is an array of 2, not a table; set it whole");
  EXPECT_EQ(error_of([&] { apply(document, {{"t.x", "\xff", "--set t.x"}}); }).substr(0, 13), "78 --set t.x:");
}

TEST(Value, NumbersCountAsIntegersWhereTheyAreWhole) {
  const Document document = parse_document("v = [80_000, 8e4, 1.5, 1e300, nan, 'x', -0.0]", "f");
  const std::vector<Value>& items = document.root.items[0].items;

  EXPECT_EQ(whole_number(items[0]), 80000);
  EXPECT_EQ(whole_number(items[1]), 80000);
  EXPECT_EQ(whole_number(items[2]), std::nullopt);
  EXPECT_EQ(whole_number(items[3]), std::nullopt);
  EXPECT_EQ(whole_number(items[4]), std::nullopt);
  EXPECT_EQ(whole_number(items[5]), std::nullopt);
  EXPECT_EQ(whole_number(items[6]), 0);
  EXPECT_EQ(number(items[2]), 1.5);
  EXPECT_EQ(number(items[5]), std::nullopt);
}

TEST(Value, PathsFollowTheFileAndOverridesTheCurrentFolder) {
  Document document = parse_document("a = 'x/../t.csv'\nb = '/data/t.h5:/a/b'\nc = '../t.h5:/a'\n", "in/p.toml");
  document.folder = "in";
  apply(document, {{"d", "./t.csv", "--set d"}});
  const auto path = [&](const char* key) { return resolved_path(document, *document.root.find(key)); };

  EXPECT_EQ(path("a"), "in/t.csv");
  EXPECT_EQ(path("b"), "/data/t.h5:/a/b");
  EXPECT_EQ(path("c"), "t.h5:/a");
  EXPECT_EQ(path("d"), "t.csv");
  EXPECT_EQ(absolute_path("t.h5:/a"), (std::filesystem::current_path() / "t.h5").string() + ":/a");
}

TEST(TomlText, ReadsBackToTheSameBits) {
  const double numbers[] = {0.1, 20, -0.0, 1e300, 5e-324, 1e-9, 98.04025930807, 1.0 / 3};

  for (const double value : numbers) {
    const Document document = parse_document("v = " + toml_text(value), "f");
    ASSERT_EQ(document.root.items[0].kind, Value::Kind::real) << value;
    EXPECT_EQ(std::signbit(document.root.items[0].real), std::signbit(value));
    EXPECT_EQ(document.root.items[0].real, value);
  }
  const std::string awkward = "a\"b\\c\n\t\x01\x7f\xC3\xA9'";
  EXPECT_EQ(parse_document("v = " + toml_text(awkward), "f").root.items[0].text, awkward);
}

TEST(Suggestion, FindsTheSlipButNotAnyWord) {
  const std::vector<std::string> words{"best1bin", "rand1bin", "best2bin", "population", "n"};

  EXPECT_EQ(close_match("best1bim", words), "best1bin");
  EXPECT_EQ(close_match("Population", words), "population");
  EXPECT_EQ(close_match("poplation", words), "population");
  EXPECT_EQ(close_match("opulation", words), "population");
  EXPECT_EQ(close_match("ebst1bin", words), "best1bin");
  EXPECT_EQ(close_match("migration", words), "");
  EXPECT_EQ(close_match("x", words), "");
  EXPECT_EQ(close_match("", words), "");
}

TEST(Effective, ResolvedValuesJoinTheirTable) {
  std::vector<EffectiveValue> values{{"a.x", "1", "f:1"}, {"b.y", "\"auto\"", "f:2"}, {"c.z", "true", "default"}};

  resolve(values, "b.y", "64");
  resolve(values, "a.n", "2.5");
  resolve(values, "d.m", "3");

  EXPECT_EQ(toml_document(values), "[a]\nx = 1\nn = 2.5\n\n[b]\ny = 64\n\n[c]\nz = true\n\n[d]\nm = 3\n");
  EXPECT_EQ(values[2].origin, "f:2");
}

}  // namespace
}  // namespace atl::config
