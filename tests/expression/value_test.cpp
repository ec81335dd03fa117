// What expressions mean on the host.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "expression/example_symbols.hpp"
#include "expression/function_table.hpp"

namespace atl::expression {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  const char* text;
  double value;
};

// NaN equals NaN here, and 0 differs from -0.
void expect_same(double actual, double expected, const std::string& what) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(actual)) << what << " is " << actual;
  } else {
    EXPECT_EQ(actual, expected) << what;
    EXPECT_EQ(std::signbit(actual), std::signbit(expected)) << what;
  }
}

class Values : public testing::TestWithParam<Case> {};

TEST_P(Values, ExpressionHasTheValueOfTheTable) {
  const Case& entry = GetParam();

  const double value = value_of(entry.text);

  expect_same(value, entry.value, entry.text);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Values,
                         testing::Values(Case{"1/2", 0.5}, Case{"7", 7}, Case{".5", 0.5}, Case{"5.", 5},
                                         Case{"1e3", 1000}, Case{"1.5E-2", 0.015}, Case{"0.1", 0.1},
                                         Case{"1e-310", 1e-310}, Case{"007", 7}, Case{"pi", std::numbers::pi},
                                         Case{" 1\n +\t2\r\n", 3}));

INSTANTIATE_TEST_SUITE_P(
    Precedence, Values,
    testing::Values(Case{"1+2*3", 7}, Case{"(1+2)*3", 9}, Case{"10-4-3", 3}, Case{"16/4/2", 2}, Case{"2*3/4*5", 7.5},
                    Case{"-2^2", -4}, Case{"(-2)^2", 4}, Case{"2^-1", 0.5}, Case{"2**3**2", 512}, Case{"2^3^2", 512},
                    Case{"2^-1^2", 0.5}, Case{"-2^-2", -0.25}, Case{"2*-3", -6}, Case{"2--3", 5}, Case{"2- -3", 5},
                    Case{"--3", 3}, Case{"+3", 3}, Case{"-a*b", 6}, Case{"2^2*3", 12}, Case{"3*2^2", 12},
                    Case{"!0+1", 2}, Case{"!2^2", 0}, Case{"1 < 2 == 1", 1}, Case{"1+1 < 3", 1}, Case{"1 || 0 && 0", 1},
                    Case{"(1 || 0) && 0", 0}, Case{"0 && 0 == 0", 0}, Case{"1 ? 2 : 0 ? 3 : 4", 2},
                    Case{"0 ? 2 : 0 ? 3 : 4", 4}, Case{"0 ? 2 : 1 ? 3 : 4", 3}, Case{"1 ? 0 ? 5 : 6 : 7", 6},
                    Case{"1 || 0 ? 2 : 3", 2}, Case{"2 + (1 ? 3 : 4)", 5}));

INSTANTIATE_TEST_SUITE_P(Logic, Values,
                         testing::Values(Case{"1 < 2", 1}, Case{"2 < 1", 0}, Case{"2 <= 2", 1}, Case{"3 > 2", 1},
                                         Case{"2 >= 3", 0}, Case{"2 == 2", 1}, Case{"2 != 2", 0}, Case{"2 && -1", 1},
                                         Case{"2 && 0", 0}, Case{"0 || 0", 0}, Case{"0.1 || 0", 1}, Case{"!0", 1},
                                         Case{"!0.5", 0}, Case{"!!5", 1}, Case{"sqrt(-1) == sqrt(-1)", 0},
                                         Case{"sqrt(-1) != 0", 1}, Case{"!sqrt(-1)", 0}, Case{"x1 == 5 ? a : 1/0", 2}));

INSTANTIATE_TEST_SUITE_P(Names, Values,
                         testing::Values(Case{"a", 2}, Case{"b", -3}, Case{"x1", 5}, Case{"`x1`", 5},
                                         Case{"`body mass`/x1", 14}, Case{"g", 9.81}, Case{"p[0]", 10},
                                         Case{"p[2]", 30}, Case{"p[k]", 20}, Case{"p[`k`]", 20}, Case{"p[two]", 30},
                                         Case{"p[-0]", 10}, Case{"p [ 1 ]", 20}, Case{"q[0]", 7}, Case{"exp", 0.5},
                                         Case{"exp(exp) - exp(0.5)", 0}, Case{"exp (0)", 1}));

INSTANTIATE_TEST_SUITE_P(Powers, Values,
                         testing::Values(Case{"x1^0", 1}, Case{"x1^1", 5}, Case{"b^3", -27}, Case{"b^8", 6561},
                                         Case{"b^-3", 1.0 / -27}, Case{"a^(-2)", 0.25}, Case{"2^0.5", std::sqrt(2.0)},
                                         Case{"2^9", 512}, Case{"a^two", 4}, Case{"a^x1", 32}, Case{"(-8)^0.5", nan},
                                         Case{"0^-1", inf}, Case{"(0*b)^3", -0.0}, Case{"(1/0-1/0)^0", 1}));

TEST(LiteralPower, MultipliesInTheOrderOfTheDeviceFunctions) {
  const double a = 1.1;
  const auto power = [&](int n) {
    const Expression expression("x^" + std::to_string(n), symbols_of({{"x", 0, 0}}), example_where());
    return expression.evaluate(std::vector{a}, {});
  };

  EXPECT_EQ(power(2), a * a);
  EXPECT_EQ(power(3), (a * a) * a);
  EXPECT_EQ(power(4), (a * a) * (a * a));
  EXPECT_EQ(power(5), ((a * a) * (a * a)) * a);
  EXPECT_EQ(power(6), ((a * a) * a) * ((a * a) * a));
  EXPECT_EQ(power(7), (((a * a) * a) * ((a * a) * a)) * a);
  EXPECT_EQ(power(8), ((a * a) * (a * a)) * ((a * a) * (a * a)));
  EXPECT_EQ(power(-5), 1.0 / (((a * a) * (a * a)) * a));
}

TEST(Horner, ProductPlusOneLeafIsRoundedOnce) {
  const Symbols symbols = symbols_of({{"a", 0, 0}, {"b", 1, 0}, {"c", 2, 0}});
  const double a = 1 + std::exp2(-30), b = 1 - std::exp2(-30), c = 1;  // a b = 1 - 2^-60, which a double rounds to 1
  const auto value = [&](const char* text) {
    return Expression(text, symbols, example_where()).evaluate(std::vector{a, b, c}, {});
  };

  EXPECT_EQ(value("a*b - c"), -std::exp2(-60));
  EXPECT_EQ(value("c - a*b"), std::exp2(-60));
  EXPECT_EQ(value("-1 + a*b"), 0);  // -1 is an operation on 1
  EXPECT_EQ(value("a*b - b*a"), 0);
  EXPECT_EQ(value("a*b - c*c"), 0);
  EXPECT_EQ(value("a*b - (c + 0)"), 0);
}

using One = double (*)(double);
using Two = double (*)(double, double);
struct OneReference {
  const char* name;
  One function;
};
struct TwoReference {
  const char* name;
  Two function;
};
using D = double;
constexpr double pi = std::numbers::pi;

const std::vector<OneReference> one_references = {
    {"abs", [](D a) { return std::fabs(a); }},
    {"fabs", [](D a) { return std::fabs(a); }},
    {"acos", [](D a) { return std::acos(a); }},
    {"acosh", [](D a) { return std::acosh(a); }},
    {"acospi", [](D a) { return std::acos(a) / pi; }},
    {"asin", [](D a) { return std::asin(a); }},
    {"asinh", [](D a) { return std::asinh(a); }},
    {"asinpi", [](D a) { return std::asin(a) / pi; }},
    {"atan", [](D a) { return std::atan(a); }},
    {"atanh", [](D a) { return std::atanh(a); }},
    {"atanpi", [](D a) { return std::atan(a) / pi; }},
    {"cbrt", [](D a) { return std::cbrt(a); }},
    {"ceil", [](D a) { return std::ceil(a); }},
    {"cos", [](D a) { return std::cos(a); }},
    {"cosh", [](D a) { return std::cosh(a); }},
    {"degrees", [](D a) { return a * (180 / pi); }},
    {"erf", [](D a) { return std::erf(a); }},
    {"erfc", [](D a) { return std::erfc(a); }},
    {"exp", [](D a) { return std::exp(a); }},
    {"exp10", [](D a) { return std::pow(10, a); }},
    {"exp2", [](D a) { return std::exp2(a); }},
    {"expm1", [](D a) { return std::expm1(a); }},
    {"floor", [](D a) { return std::floor(a); }},
    {"isfinite", [](D a) { return std::isfinite(a) ? 1.0 : 0.0; }},
    {"isinf", [](D a) { return std::isinf(a) ? 1.0 : 0.0; }},
    {"isnan", [](D a) { return std::isnan(a) ? 1.0 : 0.0; }},
    {"lgamma", [](D a) { return std::lgamma(a); }},
    {"log", [](D a) { return std::log(a); }},
    {"log10", [](D a) { return std::log10(a); }},
    {"log1p", [](D a) { return std::log1p(a); }},
    {"log2", [](D a) { return std::log2(a); }},
    {"logb", [](D a) { return std::logb(a); }},
    {"radians", [](D a) { return a * (pi / 180); }},
    {"rint", [](D a) { return std::nearbyint(a); }},
    {"round", [](D a) { return std::round(a); }},
    {"rsqrt", [](D a) { return 1 / std::sqrt(a); }},
    {"sin", [](D a) { return std::sin(a); }},
    {"sinh", [](D a) { return std::sinh(a); }},
    {"sqrt", [](D a) { return std::sqrt(a); }},
    {"tan", [](D a) { return std::tan(a); }},
    {"tanh", [](D a) { return std::tanh(a); }},
    {"tgamma", [](D a) { return std::tgamma(a); }},
    {"trunc", [](D a) { return std::trunc(a); }},
};

const std::vector<TwoReference> two_references = {
    {"atan2", [](D a, D b) { return std::atan2(a, b); }},
    {"atan2pi", [](D a, D b) { return std::atan2(a, b) / pi; }},
    {"copysign", [](D a, D b) { return std::copysign(a, b); }},
    {"fdim", [](D a, D b) { return std::fdim(a, b); }},
    {"fmax", [](D a, D b) { return std::fmax(a, b); }},
    {"max", [](D a, D b) { return std::fmax(a, b); }},
    {"fmin", [](D a, D b) { return std::fmin(a, b); }},
    {"min", [](D a, D b) { return std::fmin(a, b); }},
    {"fmod", [](D a, D b) { return std::fmod(a, b); }},
    {"hypot", [](D a, D b) { return std::hypot(a, b); }},
    {"pow", [](D a, D b) { return std::pow(a, b); }},
    {"remainder", [](D a, D b) { return std::remainder(a, b); }},
};

const std::vector<Case> function_cases = {
    {"clamp(5, 0, 2)", 2},
    {"clamp(-5, 0, 2)", 0},
    {"clamp(1, 0, 2)", 1},
    {"cospi(0)", 1},
    {"cospi(0.5)", 0},
    {"cospi(1)", -1},
    {"cospi(1.5)", 0},
    {"cospi(2)", 1},
    {"cospi(-1)", -1},
    {"cospi(1/3)", 0.5},
    {"cospi(1/0)", nan},
    {"cospi(1e10)", 1},
    {"fma(2, 3, 4)", 10},
    {"mad(2, 3, 4)", 10},
    {"fma(1+2^-30, 1-2^-30, -1)", -std::exp2(-60)},
    {"maxmag(-3, 2)", -3},
    {"maxmag(1, -2)", -2},
    {"maxmag(-2, 2)", 2},
    {"minmag(-3, 2)", 2},
    {"minmag(1, -2)", 1},
    {"minmag(-2, 2)", -2},
    {"mix(10, 20, 0.25)", 12.5},
    {"powr(2, 3)", 8},
    {"powr(-2, 2)", nan},
    {"powr(0, 0)", nan},
    {"powr(4, 0.5)", 2},
    {"powr(1/0, 0)", nan},
    {"sign(-2)", -1},
    {"sign(3)", 1},
    {"sign(-0)", -0.0},
    {"sign(sqrt(-1))", 0},
    {"sinpi(0.5)", 1},
    {"sinpi(1)", 0},
    {"sinpi(-1)", -0.0},
    {"sinpi(1.5)", -1},
    {"sinpi(-0.5)", -1},
    {"sinpi(1e10)", 0},
    {"sinpi(-1/0)", nan},
    {"smoothstep(0, 2, 1)", 0.5},
    {"smoothstep(0, 2, -1)", 0},
    {"smoothstep(0, 2, 3)", 1},
    {"smoothstep(0, 4, 1)", 0.15625},
    {"step(2, 1.5)", 0},
    {"step(2, 2)", 1},
    {"tanpi(0.1)", std::sin(0.1 * pi) / std::cos(0.1 * pi)},
    {"tanpi(0.5)", inf},
    {"tanpi(1.5)", -inf},
    {"tanpi(0)", 0},
    {"sinpi(0.1)", std::sin(0.1 * pi)},
};

INSTANTIATE_TEST_SUITE_P(Functions, Values, testing::ValuesIn(function_cases));

TEST(Functions, OfOneArgumentAgreeWithTheStandardLibrary) {
  const Symbols symbols = symbols_of({{"u", 0, 0}});
  for (const auto& [name, function] : one_references) {
    const Expression expression(std::string(name) + "(u)", symbols, example_where());
    for (const double u : {0.25, -0.75, 2.5, -2.5, 3.5, 0.0, -0.0, 170.5, 1e300, inf, nan}) {
      const double value = expression.evaluate(std::vector{u}, {});

      expect_same(value, function(u), fmt::format("{}({})", name, u));
    }
  }
}

TEST(Functions, OfTwoArgumentsAgreeWithTheStandardLibrary) {
  const Symbols symbols = symbols_of({{"u", 0, 0}, {"v", 1, 0}});
  for (const auto& [name, function] : two_references) {
    const Expression expression(std::string(name) + "(u, v)", symbols, example_where());
    for (const double u : {0.25, -0.75, 2.5, 0.0, -7.0, inf, nan}) {
      for (const double v : {0.5, -1.25, 3.0, 0.0, nan}) {
        const double value = expression.evaluate(std::vector{u, v}, {});

        expect_same(value, function(u, v), fmt::format("{}({}, {})", name, u, v));
      }
    }
  }
}

TEST(Functions, AllStandInOneOfTheTablesAbove) {
  std::set<std::string> tested;
  for (const auto& entry : one_references) tested.insert(entry.name);
  for (const auto& entry : two_references) tested.insert(entry.name);
  for (const Case& entry : function_cases)
    tested.insert(std::string(entry.text).substr(0, std::string(entry.text).find('(')));

  for (const Function& function : function_table()) {
    EXPECT_TRUE(tested.contains(std::string(function.name))) << function.name;
  }
}

TEST(Evaluation, HoldsMoreValuesThanTheSmallStack) {
  std::string text = "1";
  for (int i = 0; i < 90; ++i) text = fmt::format("1 + ({})", text);

  EXPECT_EQ(value_of(text), 91);
}

TEST(Evaluation, OfAVectorOutsideItsEntriesIsNaN) {
  const Expression expression = parsed("p[k]");

  for (const double index : {-1.0, 3.0, 0.5, nan, inf}) {
    EXPECT_TRUE(std::isnan(expression.evaluate(example_x(), std::vector{5.0, 70.0, index, 99.0}))) << index;
  }
}

TEST(Use, ColumnsAndParametersOfTheTextAreReported) {
  const Expression expression = parsed("p[k]*x1 + exp*`k`");

  EXPECT_EQ(expression.columns_used(), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(expression.parameters_used(), (std::vector<bool>{false, false, true, true, false}));
}

TEST(Work, CountsAdditionsDivisionsAndFunctions) {
  EXPECT_EQ(parsed("a").operations(), 0);
  EXPECT_EQ(parsed("a*x1 + b").operations(), 1);
  EXPECT_EQ(parsed("a*x1 + b*x1").operations(), 3);
  EXPECT_EQ(parsed("a/x1").operations(), 4);
  EXPECT_EQ(parsed("sin(a) - b").operations(), 21);
  EXPECT_EQ(parsed("x1^8").operations(), 3);
  EXPECT_EQ(parsed("x1^-2").operations(), 5);
  EXPECT_EQ(parsed("x1^a").operations(), 20);
}

}  // namespace
}  // namespace atl::expression
