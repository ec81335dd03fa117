#include "device/compile_log.hpp"

#include <gtest/gtest.h>

namespace atl::device {
namespace {

std::optional<std::string> explain(std::string_view log, const std::string& origin, std::string_view text,
                                   Evidence evidence = Evidence::error, int most = 5) {
  return explain_user_error(read_diagnostics(log), origin, text, evidence, most);
}

const std::string wing = "real term(const real *x) {\n\treal z = 1;\n  return y * 2;\n}\n";

TEST(CompileLog, ReadsClangsForm) {
  const auto found =
      read_diagnostics("wing.cl:3:10: error: use of undeclared identifier 'y'\n  return y * 2;\n         ^\n");

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Diagnostic::Kind::error);
  EXPECT_EQ(found[0].file, "wing.cl");
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].column, 10);
  EXPECT_EQ(found[0].message, "use of undeclared identifier 'y'");
}

TEST(CompileLog, ReadsPoclsForm) {
  const auto found =
      read_diagnostics("error: a b/wing.cl:3:10: 'foo.h' file not found\nwarning: wing.cl:7:1: odd: thing\n");

  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].file, "a b/wing.cl");
  EXPECT_EQ(found[0].message, "'foo.h' file not found");
  EXPECT_EQ(found[1].kind, Diagnostic::Kind::warning);
  EXPECT_EQ(found[1].message, "odd: thing");
}

TEST(CompileLog, ReadsAPlaceWithoutAColumn) {
  const auto found = read_diagnostics("wing.cl:12: error: text\n");

  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, 12);
  EXPECT_EQ(found[0].column, 0);
}

TEST(CompileLog, LinesThatAreNoDiagnosticsAreLeftOut) {
  EXPECT_TRUE(
      read_diagnostics("Device pthread failed to build the program\n2 errors generated.\nerror: no place\n").empty());
}

TEST(CompileLog, AUsersErrorComesWithItsLineAndACaret) {
  const auto message = explain("error: wing.cl:3:10: use of undeclared identifier 'y'\n", "wing.cl", wing);

  EXPECT_EQ(message, "wing.cl:3:10: error: use of undeclared identifier 'y'\n    return y * 2;\n           ^");
}

TEST(CompileLog, BothFormsGiveTheSameMessage) {
  const std::string clang =
      "wing.cl:3:10: error: use of undeclared identifier 'y'\n  return y * 2;\n         ^\n1 error generated.\n";
  const std::string pocl =
      "error: wing.cl:3:10: use of undeclared identifier 'y'\nDevice pthread failed to build the program\n";

  EXPECT_EQ(explain(clang, "wing.cl", wing), explain(pocl, "wing.cl", wing));
}

TEST(CompileLog, ErrorsOfOtherFilesAreLeftOut) {
  const auto message = explain("error: wing.cl:3:10: mine\nerror: de/own.cl:1:1: not mine\n", "wing.cl", "");

  EXPECT_EQ(message, "wing.cl:3:10: error: mine");
}

TEST(CompileLog, AnErrorThatNamesOnlyOurFilesIsNotTheUsers) {
  EXPECT_EQ(explain("error: de/own.cl:1:1: text\nwarning: wing.cl:1:1: text\n", "wing.cl", wing), std::nullopt);
  EXPECT_EQ(explain("", "wing.cl", wing), std::nullopt);
}

TEST(CompileLog, ANoteThatNamesTheUsersFileIsWeakerEvidence) {
  const std::string log =
      "de/own.cl:9:3: error: no matching function\nwing.cl:1:6: note: candidate function not viable\n";

  EXPECT_EQ(explain(log, "wing.cl", "", Evidence::error), std::nullopt);
  EXPECT_EQ(explain(log, "wing.cl", "", Evidence::note),
            "de/own.cl:9:3: error: no matching function\nwing.cl:1:6: note: candidate function not viable");
  EXPECT_EQ(explain(log, "other.cl", "", Evidence::note), std::nullopt);
}

TEST(CompileLog, ManyErrorsAreCutAndCounted) {
  std::string log;
  for (int line = 1; line <= 8; ++line) log += "error: wing.cl:" + std::to_string(line) + ":1: e\n";

  const auto message = explain(log, "wing.cl", "", Evidence::error, 2);

  EXPECT_EQ(message, "wing.cl:1:1: error: e\nwing.cl:2:1: error: e\nand 6 more");
}

TEST(CompileLog, ATabBeforeTheColumnKeepsTheCaretInPlace) {
  const auto message = explain("error: wing.cl:2:7: e\n", "wing.cl", wing);

  EXPECT_EQ(message, "wing.cl:2:7: error: e\n  \treal z = 1;\n  \t     ^");
}

TEST(CompileLog, LinesCountedOverTheWholeSourceAreFoundInTheirPiece) {
  const std::string source = "first\n#line 1 \"my wing.cl\"\na\nb\n\n#line 10 \"de/own.cl\"\nc\n";
  auto found = read_diagnostics(
      "input.cl:4:7: error: e\ninput.cl:7:1: note: n\nmy wing.cl:1:1: error: stays\n<kernel>:1:1: error: before\n");

  place_by_line_directives(found, source);

  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(one_line(found[0]), "my wing.cl:2:7: error: e");
  EXPECT_EQ(one_line(found[1]), "de/own.cl:10:1: note: n");
  EXPECT_EQ(one_line(found[2]), "my wing.cl:1:1: error: stays");
  EXPECT_EQ(one_line(found[3]), "<kernel>:1:1: error: before");
}

TEST(CompileLog, FindsFunctionsThatTheLinkerMisses) {
  const auto names = undefined_functions(
      "Error(s) while linking: \nCannot find symbol lift in kernel library\nptxas fatal   : Unresolved extern function "
      "'drag'\n");

  EXPECT_EQ(names, (std::vector<std::string>{"lift", "drag"}));
}

}  // namespace
}  // namespace atl::device
