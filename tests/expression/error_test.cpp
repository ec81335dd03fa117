// What is refused, with which words, and where.
#include <gtest/gtest.h>

#include "expression/example_symbols.hpp"
#include "expression/names.hpp"

namespace atl::expression {
namespace {

std::string error_of(std::string_view text, const Symbols& symbols, const Location& where) {
  try {
    const Expression expression(text, symbols, where);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
    return error.what();
  }
  return "accepted";
}

std::string error_of(std::string_view text) {
  return error_of(text, example_symbols(), {"m", 1, 1});
}

struct Case {
  std::string text, message;
};

class Errors : public testing::TestWithParam<Case> {};

TEST_P(Errors, NameThePlaceAndTheRule) {
  EXPECT_EQ(error_of(GetParam().text), GetParam().message) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Names, Errors,
    testing::Values(
        Case{"a + x2", "m:1:5: unknown name 'x2'; did you mean x1?"},
        Case{"`body mas`", "m:1:1: no column `body mas`; did you mean `body mass`?"},
        Case{"`what`", "m:1:1: no column `what`; the columns are x1, body mass, k, y"},
        Case{"A", "m:1:1: unknown name 'A'; did you mean a?"},
        Case{"velocity",
             "m:1:1: unknown name 'velocity'; known names: a, b, p, exp, q, x1, `body mass`, k, g, two, pi"},
        Case{"sin + 1", "m:1:1: 'sin' is a function: its argument stands in brackets, as in sin(a)"},
        Case{"smoothstep", "m:1:1: 'smoothstep' is a function: its argument stands in brackets, as in smoothstep(a)"},
        Case{"a and b", "m:1:3: an operator is missing before 'and'; a product needs a *"},
        Case{"not a", "m:1:1: unknown name 'not'; write !"},
        Case{"2*y", "m:1:3: 'y' is the target: the model gives it and cannot use it"},
        Case{"`y`", "m:1:1: 'y' is the target: the model gives it and cannot use it"}));

INSTANTIATE_TEST_SUITE_P(
    Functions, Errors,
    testing::Values(
        Case{"1 + sine(a)", "m:1:5: unknown function 'sine'; did you mean sin?"},
        Case{"ln(a)", "m:1:1: unknown function 'ln'; the natural logarithm is log(a)"},
        Case{"Exp(a)", "m:1:1: unknown function 'Exp'; did you mean exp?"},
        Case{"bessel0(a)",
             "m:1:1: unknown function 'bessel0'; the functions are those of OpenCL C, such as exp, log, sin"},
        Case{"a(b)", "m:1:1: 'a' is a parameter, not a function; a product needs a *, as in a*(...)"},
        Case{"pi(2)", "m:1:1: 'pi' is the number 3.14159..., not a function; a product needs a *, as in pi*(...)"},
        Case{"sin(a, b)", "m:1:1: sin takes 1 argument, not 2"}, Case{"pow(a)", "m:1:1: pow takes 2 arguments, not 1"},
        Case{"2*exp()", "m:1:3: exp takes 1 argument, not 0"},
        Case{"max(a, b, 3)", "m:1:1: max takes 2 arguments, not 3"}));

INSTANTIATE_TEST_SUITE_P(
    Indices, Errors,
    testing::Values(Case{"p[3]", "m:1:3: index 3 of 'p' is not one of the whole numbers 0 to 2"},
                    Case{"p[-1]", "m:1:3: index -1 of 'p' is not one of the whole numbers 0 to 2"},
                    Case{"p[0.5]", "m:1:3: index 0.5 of 'p' is not one of the whole numbers 0 to 2"},
                    Case{"p[g]", "m:1:3: index 9.81 of 'p' is not one of the whole numbers 0 to 2"},
                    Case{"1 + p", "m:1:5: 'p' is a vector; its entries are p[0] to p[2]"},
                    Case{"a[0]", "m:1:2: 'a' is a parameter without a size and takes no index"},
                    Case{"x1[0]", "m:1:3: 'x1' is not a vector parameter and takes no index"},
                    Case{"p[k+1]", "m:1:3: an index is one whole number, constant or column, as in p[0] or p[column]"},
                    Case{"p[a]", "m:1:3: an index is one whole number, constant or column, as in p[0] or p[column]"},
                    Case{"p[]", "m:1:3: an index is one whole number, constant or column, as in p[0] or p[column]"},
                    Case{"p[y]", "m:1:3: 'y' is the target: the model gives it and cannot use it"},
                    Case{"p[", "m:1:2: this '[' has no ']'"},
                    Case{"p[1", "m:1:3: an index is one whole number, constant or column, as in p[0] or p[column]"}));

INSTANTIATE_TEST_SUITE_P(
    Syntax, Errors,
    testing::Values(
        Case{"", "m:1:1: the expression is empty"}, Case{" \n ", "m:2:2: the expression is empty"},
        Case{"a +", "m:1:4: expected a number, a name or '(', but the expression ends"},
        Case{"a * / b", "m:1:5: expected a number, a name or '(', not '/'"},
        Case{"(a + b", "m:1:1: this '(' has no ')'"}, Case{"sin(a", "m:1:4: this '(' has no ')'"},
        Case{"a + b)", "m:1:6: this ')' closes nothing"},
        Case{"a b", "m:1:3: an operator is missing before 'b'; a product needs a *"},
        Case{"2 a", "m:1:3: an operator is missing before 'a'; a product needs a *"},
        Case{"(a)(b)", "m:1:4: an operator is missing before '('; a product needs a *"},
        Case{"1,5", "m:1:2: a ',' parts the arguments of a function; a decimal point is '.'"},
        Case{"a ? b", "m:1:3: this '?' has no ':'; a condition is written a ? b : c"},
        Case{"a ? b)", "m:1:6: expected ':', not ')'"}, Case{"a : b", "m:1:3: this ':' has no '?'"},
        Case{"a ! b", "m:1:3: expected an operator, not '!'"},
        Case{"0 < a < 1",
             "m:1:7: a second comparison in a row would compare a 0 or 1; write a < b && b < c, or use brackets"},
        Case{"a == b == 1",
             "m:1:8: a second comparison in a row would compare a 0 or 1; write a < b && b < c, or use brackets"}));

INSTANTIATE_TEST_SUITE_P(
    Characters, Errors,
    testing::Values(
        Case{"2a", "m:1:1: '2a' is not a number; a product needs a *, as in 2*a"},
        Case{"1.2.3", "m:1:1: '1.2.3' is not a number"},
        Case{"0x10", "m:1:1: '0x10' is not a number; a product needs a *, as in 0*x10"},
        Case{"1e999", "m:1:1: number 1e999 is outside the range of a double"},
        Case{"a = b", "m:1:3: '=' is not an operator here; equality is written =="},
        Case{"a & b", "m:1:3: '&' is not an operator here; write &&"},
        Case{"a | b", "m:1:3: '|' is not an operator here; write ||"},
        Case{"a % b", "m:1:3: '%' is not an operator here; a remainder is fmod(a, b)"},
        Case{"a $", "m:1:3: unexpected character '$'; a column whose name has it is written in backticks"},
        Case{"a \xE2\x88\x92 b",
             "m:1:3: unexpected character '\xE2\x88\x92'; a column whose name has it is written in backticks"},
        Case{"a + `x1", "m:1:5: this ` has no closing `"}, Case{"``", "m:1:1: `` names no column"},
        Case{"a + \xFF", "m:1:5: byte 0xFF is not valid UTF-8"},
        Case{"`\xC0\x80`", "m:1:2: byte 0xC0 is not valid UTF-8"},
        Case{"`\xED\xA0\x80`", "m:1:2: byte 0xED is not valid UTF-8"},
        Case{"`\xE2\x88", "m:1:2: byte 0xE2 is not valid UTF-8"},
        Case{"a\x1B[31m", "m:1:2: control character U+001B is not allowed in an expression"},
        Case{std::string("a\0b", 3), "m:1:2: control character U+0000 is not allowed in an expression"},
        Case{"`\xC2\x9B`", "m:1:2: control character U+009B is not allowed in an expression"}));

TEST(Ambiguity, NameOfAColumnAndAParameterIsRefusedNamingBoth) {
  Symbols symbols = example_symbols();
  symbols.columns.emplace_back("a");
  symbols.columns.emplace_back("g");
  symbols.columns.emplace_back("pi");

  EXPECT_EQ(error_of("2*a", symbols, {"m", 1, 1}),
            "m:1:3: 'a' is both a parameter and a column; rename one, or write `a` for the column");
  EXPECT_EQ(error_of("g", symbols, {"m", 1, 1}),
            "m:1:1: 'g' is both a constant and a column; rename one, or write `g` for the column");
  EXPECT_EQ(error_of("pi", symbols, {"m", 1, 1}),
            "m:1:1: 'pi' is both the number 3.14159... and a column; rename one, or write `pi` for the column");
  EXPECT_EQ(error_of("2*b", symbols, {"m", 1, 1}), "accepted") << "a name that is not used does no harm";
  EXPECT_EQ(Expression("`a`", symbols, {"m", 1, 1}).columns_used(), std::vector<std::size_t>{4});
}

TEST(Ambiguity, NameOfAParameterAndAConstantIsRefused) {
  Symbols symbols = example_symbols();
  symbols.constants.push_back({"a", 1});

  EXPECT_EQ(error_of("a", symbols, {"m", 1, 1}), "m:1:1: 'a' is both a parameter and a constant; rename one");
}

TEST(Place, CountsCharactersFromTheStartOfTheText) {
  EXPECT_EQ(error_of("a + zz9", example_symbols(), {"problem.toml", 7, 10}).substr(0, 19), "problem.toml:7:14: ");
  EXPECT_EQ(error_of("`body mass` + `h\xC3\xB6he`*zz9", example_symbols(), {"problem.toml", 7, 10}).substr(0, 19),
            "problem.toml:7:24: ");
}

TEST(Place, AfterALineBreakIsCountedFromThatLine) {
  EXPECT_EQ(error_of("a +\n  b +\n  zz9", example_symbols(), {"problem.toml", 7, 10}).substr(0, 18),
            "problem.toml:9:3: ");
  EXPECT_EQ(error_of("a +\r\n zz9", example_symbols(), {"problem.toml", 7, 10}).substr(0, 18), "problem.toml:8:2: ");
}

TEST(Place, WithoutALineIsTheCharacterOfTheText) {
  EXPECT_EQ(error_of("a + x2", example_symbols(), {"--set problem.model", 0, 0}),
            "--set problem.model: unknown name 'x2'; did you mean x1? (at character 5 of the expression)");
}

TEST(Depth, HostileNestingIsRefusedWithoutOverflow) {
  const std::size_t many = 1000000;
  const std::string deep = "m:1:101: the expression is nested more than 100 deep";

  EXPECT_EQ(error_of(std::string(many, '(')), deep);
  EXPECT_EQ(error_of(std::string(many, '-')), deep);
  EXPECT_EQ(error_of(std::string(many, '!')), deep);
  std::string many_branches;
  for (std::size_t i = 0; i < many; ++i) many_branches += "a?";
  EXPECT_EQ(error_of(many_branches), "m:1:201: the expression is nested more than 100 deep");
  std::string powers, branches, calls;
  for (int i = 0; i < 200; ++i) {
    powers += "a^";
    branches += "a?";
    calls += "sin(";
  }
  EXPECT_EQ(error_of(powers), "m:1:201: the expression is nested more than 100 deep");
  EXPECT_EQ(error_of(branches), "m:1:201: the expression is nested more than 100 deep");
  EXPECT_EQ(error_of(calls), "m:1:401: the expression is nested more than 100 deep");
}

TEST(Depth, MoreBracketsThanOpenClCompilersTakeAreRefused) {
  std::string text = "a";
  for (int i = 0; i < 90; ++i) text = fmt::format("sin(a || a && a == a < {})", text);

  EXPECT_EQ(error_of(text), "m:1:1: the expression is nested too deep for OpenCL compilers: more than 200 brackets");
}

TEST(Length, OfMoreThanTwentyThousandPartsIsRefused) {
  std::string sum = "a", branches;
  for (int i = 0; i < 9999; ++i) sum += "+a";
  for (int i = 0; i < 4000; ++i) branches += "x1 < 1 ? 2 : ";

  EXPECT_EQ(error_of(sum), "accepted");
  EXPECT_EQ(error_of(branches + "3"),
            "m:1:52002: the expression is too long: more than 20000 numbers, names and operations");
  EXPECT_EQ(error_of(sum + "+a"),
            "m:1:20002: the expression is too long: more than 20000 numbers, names and operations");
}

TEST(CheckIndices, NamesTheRowWhoseIndexIsOutside) {
  const Expression expression = parsed("a + p[k]");
  const std::vector<double> k = {0, 2, 3, 1};
  const auto cell = [&](std::size_t row, std::size_t column) { return column == 2 ? k[row] : 1e9; };

  EXPECT_NO_THROW(expression.check_indices(cell, 2));
  try {
    expression.check_indices(cell, 4);
    FAIL() << "index 3 of 3 entries was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "problem.toml:2:14: p[k]: k is 3 in data row 3, not one of the whole numbers 0 to 2");
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
  }
}

TEST(CheckIndices, RefusesFractionsAndNaN) {
  const Expression expression = parsed("p[k]");

  for (const double index : {-1.0, 0.5, std::nan(""), 1e300}) {
    EXPECT_THROW(expression.check_indices([&](std::size_t, std::size_t) { return index; }, 1), Error) << index;
  }
}

TEST(Nearest, KnowsSwappedMissingAndExtraLetters) {
  const std::vector<std::string> names = {"velocity", "a1", "mass"};

  EXPECT_EQ(nearest("velocty", names), "velocity");
  EXPECT_EQ(nearest("evlocity", names), "velocity");
  EXPECT_EQ(nearest("MASS", names), "mass");
  EXPECT_EQ(nearest("a2", names), "a1");
  EXPECT_EQ(nearest("z", names), "");
  EXPECT_EQ(nearest("speed", names), "");
}

TEST(Messages, ShortenAHostileName) {
  EXPECT_LT(error_of(std::string(100000, 'z')).size(), 200U);
  EXPECT_LT(error_of(std::string(100000, 'z') + "(1)").size(), 200U);
  EXPECT_LT(error_of("1" + std::string(100000, 'z')).size(), 250U);
}

}  // namespace
}  // namespace atl::expression
