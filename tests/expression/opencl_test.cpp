// The OpenCL C of an expression: golden texts, and a way back to a value without a device.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "expression/example_symbols.hpp"
#include "expression/function_table.hpp"
#include "expression/parser.hpp"

namespace atl::expression {
namespace {

struct Case {
  const char *text, *opencl;
};

class Emitted : public testing::TestWithParam<Case> {};

TEST_P(Emitted, TextIsTheGoldenOne) {
  EXPECT_EQ(opencl_of(GetParam().text), GetParam().opencl) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, Emitted,
    testing::Values(Case{"a", "x[0]"}, Case{"x1", "row[0]"}, Case{"g", "(real)9.81"}, Case{"p[2]", "x[4]"},
                    Case{"p[k]", "x[2+(int)row[2]]"}, Case{"a*x1 + b", "fma(x[0],row[0],x[1])"},
                    Case{"a - (b - 1)", "(x[0]-(x[1]-(real)1.0))"}, Case{"a - b - 1", "(x[0]-x[1]-(real)1.0)"},
                    Case{"(a + b)*(a - b)", "((x[0]+x[1])*(x[0]-x[1]))"}, Case{"a/(b/2)", "(x[0]/(x[1]/(real)2.0))"},
                    Case{"a/b*2", "(x[0]/x[1]*(real)2.0)"}, Case{"a + -b", "(x[0]+(-x[1]))"},
                    Case{"a - -b*2", "fma(-(-x[1]),(real)2.0,x[0])"}, Case{"--a", "(-(-x[0]))"},
                    Case{"-(a*b)", "(-(x[0]*x[1]))"}, Case{"a*-b", "(x[0]*-x[1])"}));

INSTANTIATE_TEST_SUITE_P(
    Horner, Emitted,
    testing::Values(Case{"b + a*x1", "fma(x[0],row[0],x[1])"}, Case{"a*x1 - b", "fma(x[0],row[0],-x[1])"},
                    Case{"b - a*x1", "fma(-x[0],row[0],x[1])"}, Case{"a*x1 - 2", "fma(x[0],row[0],-(real)2.0)"},
                    Case{"(a*x1 + b)*x1 + 3", "fma(fma(x[0],row[0],x[1]),row[0],(real)3.0)"},
                    Case{"2 - x1*(b - x1*a)", "fma(-row[0],fma(-row[0],x[0],x[1]),(real)2.0)"},
                    Case{"a*(b < 0) + 1", "fma(x[0],x[1] < (real)0.0 ? (real)1.0 : (real)0.0,(real)1.0)"},
                    Case{"a*b - b*a", "(x[0]*x[1]-x[1]*x[0])"}, Case{"a*b + -x1", "(x[0]*x[1]+(-row[0]))"},
                    Case{"a^2 + b", "(x[0]*x[0]+x[1])"}, Case{"-(a*b) + 1", "(-(x[0]*x[1])+(real)1.0)"},
                    Case{"a*b/2 + 1", "(x[0]*x[1]/(real)2.0+(real)1.0)"},
                    Case{"a*b*2 + 1", "fma(x[0]*x[1],(real)2.0,(real)1.0)"},
                    Case{"a*b + exp(a)", "(x[0]*x[1]+exp(x[0]))"}));

INSTANTIATE_TEST_SUITE_P(Powers, Emitted,
                         testing::Values(Case{"a^0", "(real)1.0"}, Case{"a^1", "x[0]"}, Case{"a^2", "(x[0]*x[0])"},
                                         Case{"a^3", "(x[0]*x[0]*x[0])"}, Case{"a^4", "model_power4(x[0])"},
                                         Case{"(a + b)^2", "model_power2(x[0]+x[1])"},
                                         Case{"sin(a)^3", "model_power3(sin(x[0]))"},
                                         Case{"a^-2", "((real)1.0/(x[0]*x[0]))"}, Case{"a^-1", "((real)1.0/x[0])"},
                                         Case{"b*a^2", "(x[1]*(x[0]*x[0]))"}, Case{"a^2*b", "(x[0]*x[0]*x[1])"},
                                         Case{"a^b", "pow(x[0],x[1])"}, Case{"a^9", "pow(x[0],(real)9.0)"},
                                         Case{"-a^2", "(-(x[0]*x[0]))"}));

INSTANTIATE_TEST_SUITE_P(
    Conditions, Emitted,
    testing::Values(Case{"a < b", "(x[0] < x[1] ? (real)1.0 : (real)0.0)"},
                    Case{"2*(a < b)", "((real)2.0*(x[0] < x[1] ? (real)1.0 : (real)0.0))"},
                    Case{"a ? 1 : 2", "(x[0] != (real)0.0 ? (real)1.0 : (real)2.0)"},
                    Case{"a < 1 ? 1 : a < 2 ? 3 : 4",
                         "(x[0] < (real)1.0 ? (real)1.0 : x[0] < (real)2.0 ? (real)3.0 : (real)4.0)"},
                    Case{"a < 1 && b", "(x[0] < (real)1.0 && x[1] != (real)0.0 ? (real)1.0 : (real)0.0)"},
                    Case{"a || b && k",
                         "(x[0] != (real)0.0 || (x[1] != (real)0.0 && row[2] != (real)0.0) ? (real)1.0 : (real)0.0)"},
                    Case{"!a", "(!(x[0] != (real)0.0) ? (real)1.0 : (real)0.0)"},
                    Case{"!(a < b) ? a : b", "(!(x[0] < x[1]) ? x[0] : x[1])"},
                    Case{"a < b == 1", "((x[0] < x[1] ? (real)1.0 : (real)0.0) == (real)1.0 ? (real)1.0 : (real)0.0)"},
                    Case{"(a ? b : 1) && a",
                         "((x[0] != (real)0.0 ? x[1] : (real)1.0) != (real)0.0 && x[0] != (real)0.0 ? (real)1.0 : "
                         "(real)0.0)"}));

INSTANTIATE_TEST_SUITE_P(Calls, Emitted,
                         testing::Values(Case{"max(a, 0)", "fmax(x[0],(real)0.0)"}, Case{"abs(a)", "fabs(x[0])"},
                                         Case{"exp(exp)", "exp(x[5])"},
                                         Case{"clamp(a, 0, b)", "model_clamp(x[0],(real)0.0,x[1])"},
                                         Case{"mad(a, b, 1)", "fma(x[0],x[1],(real)1.0)"},
                                         Case{"sqrt(a < b)", "sqrt(x[0] < x[1] ? (real)1.0 : (real)0.0)"}));

TEST(Emission, OfALongSumNestsNoBrackets) {
  std::string text = "a-b";
  for (int i = 0; i < 3000; ++i) text += i % 2 == 0 ? "+b*x1" : "-b";

  const std::string emitted = opencl_of(text);

  EXPECT_EQ(emitted.find('(', 1), std::string::npos);
}

TEST(Emission, PutsTheCallersTextForAColumn) {
  const Expression expression = parsed("x1*a + p[k]");

  EXPECT_EQ(expression.opencl([](std::size_t c) { return literal(c == 0 ? 0.5 : 2); }),
            "fma((real)0.5,x[0],x[2+(int)(real)2.0])");
}

TEST(Literal, ReadsBackToTheSameDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;

    const std::string text = literal(value);

    ASSERT_EQ(text.substr(0, 6), "(real)");
    ASSERT_EQ(std::strtod(text.c_str() + 6, nullptr), value) << text;
    ASSERT_NE(text.find_first_of(".e"), text.npos) << text << " would be an integer";
  }
}

TEST(Literal, KeepsZerosSignsAndInfinities) {
  EXPECT_EQ(literal(0), "(real)0.0");
  EXPECT_EQ(literal(-0.0), "(real)-0.0");
  EXPECT_EQ(literal(1e22), "(real)1e+22");
  EXPECT_EQ(literal(std::numeric_limits<double>::infinity()), "(real)INFINITY");
  EXPECT_EQ(literal(-std::numeric_limits<double>::infinity()), "(real)-INFINITY");
  EXPECT_EQ(literal(std::nan("")), "(real)NAN");
}

TEST(DeviceFunctions, DefineEveryNameThatIsNotOpenCls) {
  const std::string text(opencl_functions());
  for (const Function& function : function_table()) {
    if (!function.opencl.starts_with("model_")) continue;
    EXPECT_NE(text.find("real " + std::string(function.opencl) + "("), text.npos) << function.opencl;
  }
  for (int exponent = 2; exponent <= 8; ++exponent) {
    EXPECT_NE(text.find(fmt::format("real model_power{}(", exponent)), text.npos);
  }
}

// A random expression as text, with its value computed beside it by the rules of the README.
struct Random {
  std::mt19937_64 random{20240601};
  std::vector<double> x = {1.25, -0.5, 3.0, 0.0};
  std::vector<double> row = {0.75, -2.0};

  std::size_t pick(std::size_t n) { return random() % n; }

  struct Sample {
    std::string text;
    int precedence;  // 0 ?: 1 || 2 && 3 == 4 < 5 + 6 * 7 sign 8 power 9 primary
    double value;
    bool leaf = false, product = false;
    double factors[2] = {0, 0};  // of a product
  };

  // Rounded once when one side is a product and the other a leaf.
  static double sum(const Sample& a, const Sample& b, double sign) {
    if (a.product && b.leaf) return std::fma(a.factors[0], a.factors[1], sign * b.value);
    if (b.product && a.leaf) return std::fma(sign * b.factors[0], b.factors[1], a.value);
    return a.value + sign * b.value;
  }

  std::string in_brackets(const Sample& part, int lowest) {
    const bool needed = part.precedence < lowest || pick(8) == 0;
    return needed ? "(" + part.text + ")" : part.text;
  }

  Sample leaf() {
    if (const std::size_t kind = pick(3); kind == 0) {
      const std::size_t i = pick(x.size());
      return {"x[" + std::to_string(i) + "]", 9, x[i], true};
    } else if (kind == 1) {
      const std::size_t c = pick(row.size());
      return {"c" + std::to_string(c), 9, row[c], true};
    }
    const double value = static_cast<double>(pick(64)) / 8;
    return {fmt::format("{}", value), 9, value, true};
  }

  Sample sample(int depth) {
    if (depth == 0) return leaf();
    switch (pick(8)) {
      case 0: {
        const Sample a = sample(depth - 1);
        return pick(2) == 0 ? Sample{"-" + in_brackets(a, 7), 7, -a.value}
                            : Sample{"!" + in_brackets(a, 7), 7, a.value == 0 ? 1.0 : 0.0};
      }
      case 1: {
        const Sample a = sample(depth - 1), b = sample(depth - 1), c = sample(depth - 1);
        return {in_brackets(a, 1) + " ? " + b.text + " : " + c.text, 0, a.value != 0 ? b.value : c.value};
      }
      case 2: {
        const Sample a = sample(depth - 1);
        double value = a.value * a.value;
        const bool cube = pick(2) == 0;
        if (cube) value *= a.value;
        return {in_brackets(a, 9) + (cube ? "^3" : "**2"), 8, value};
      }
      case 3: {
        const Sample a = sample(depth - 1), b = sample(depth - 1);
        return {"fdim(" + a.text + "," + b.text + ")", 9, std::fdim(a.value, b.value)};
      }
      default:
        return binary(depth);
    }
  }

  Sample binary(int depth) {
    const Sample a = sample(depth - 1), b = sample(depth - 1);
    const double u = a.value, v = b.value;
    const auto make = [&](const char* symbol, int level, double value) {
      const bool comparison = level == 3 || level == 4;  // no two in a row
      return Sample{in_brackets(a, comparison ? level + 1 : level) + symbol + in_brackets(b, level + 1), level, value};
    };
    switch (pick(12)) {
      case 0:
        return make(" || ", 1, u != 0 || v != 0 ? 1 : 0);
      case 1:
        return make(" && ", 2, u != 0 && v != 0 ? 1 : 0);
      case 2:
        return make("==", 3, u == v ? 1 : 0);
      case 3:
        return make("!=", 3, u != v ? 1 : 0);
      case 4:
        return make("<", 4, u < v ? 1 : 0);
      case 5:
        return make(">=", 4, u >= v ? 1 : 0);
      case 6:
      case 7:
        return make("+", 5, sum(a, b, 1));
      case 8:
        return make("-", 5, sum(a, b, -1));
      case 9:
        return make("/", 6, u / v);
      default: {
        Sample product = make("*", 6, u * v);
        product.product = true;
        product.factors[0] = u;
        product.factors[1] = v;
        return product;
      }
    }
  }
};

bool same_bits(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

// Emitted OpenCL C in our own language, whose precedences are C's: casts dropped, powers written with ^.
std::string readable(std::string text) {
  for (auto at = text.find("(real)"); at != text.npos; at = text.find("(real)")) text.erase(at, 6);
  const std::string name = "model_power";
  for (auto at = text.find(name); at != text.npos; at = text.find(name)) {
    const std::string exponent = text.substr(at + name.size(), 1);
    std::size_t end = at + name.size() + 2;
    for (int depth = 1; depth > 0; ++end) depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    text.insert(end, "^" + exponent + ")");
    text.replace(at, name.size() + 1, "(");
  }
  return text;
}

TEST(RandomTrees, TextParsesAndEvaluatesToTheDirectValue) {
  Random random;
  const Symbols symbols = symbols_of({{"x", 0, 4}}, {"c0", "c1"});
  for (int i = 0; i < 20000; ++i) {
    const Random::Sample sample = random.sample(static_cast<int>(random.pick(6)));

    const Expression expression(sample.text, symbols, {"random", 1, 1});

    ASSERT_TRUE(same_bits(expression.evaluate(random.x, random.row), sample.value)) << sample.text;
  }
}

TEST(RandomTrees, EmittedTextKeepsTheTree) {
  Random random;
  const Symbols symbols = symbols_of({{"x", 0, 4}}, {"c0", "c1"});
  const Symbols emitted_symbols = symbols_of({{"x", 0, 4}, {"row", 4, 2}});
  std::vector<double> both = random.x;
  both.insert(both.end(), random.row.begin(), random.row.end());
  for (int i = 0; i < 20000; ++i) {
    const Random::Sample sample = random.sample(static_cast<int>(random.pick(6)));
    const std::string text = Expression(sample.text, symbols, {"random", 1, 1}).opencl(column_text);

    const Tree again = parse(readable(text), emitted_symbols, {"emitted", 1, 1}).tree;  // not fused once more

    ASSERT_TRUE(same_bits(evaluate(again, both.data(), nullptr), sample.value)) << sample.text << "\n" << text;
    ASSERT_EQ(text.find("--"), text.npos) << text;
    ASSERT_EQ(text.find("(("), text.find("((", 0)) << text;
  }
}

}  // namespace
}  // namespace atl::expression
