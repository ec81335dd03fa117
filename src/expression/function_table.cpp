#include "expression/function_table.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace atl::expression {
namespace {

using std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Angles in half turns: the reduction to one turn is exact, so that sinpi(1e10) is 0 as on the device.
double sinpi(double x) {
  if (!std::isfinite(x)) return nan;
  const double turn = std::fmod(std::fabs(x), 2.0);
  const double half = turn >= 1.0 ? turn - 1.0 : turn;
  const double value = half <= 0.25   ? std::sin(pi * half)
                       : half <= 0.75 ? std::cos(pi * (0.5 - half))
                                      : std::sin(pi * (1.0 - half));
  if (half == 0.0) return std::copysign(0.0, x);
  return std::copysign(1.0, x) * (turn >= 1.0 ? -value : value);
}

double cospi(double x) {
  if (!std::isfinite(x)) return nan;
  const double turn = std::fmod(std::fabs(x), 2.0);
  const double half = turn > 1.0 ? 2.0 - turn : turn;  // cos is even about a half turn
  if (half <= 0.25) return std::cos(pi * half);
  if (half <= 0.75) return half == 0.5 ? 0.0 : std::sin(pi * (0.5 - half));
  return -std::cos(pi * (1.0 - half));
}

double powr(double x, double y) {
  const bool infinite_base = x == 0.0 || std::isinf(x);
  if (!(x >= 0.0) || std::isnan(y) || (y == 0.0 && infinite_base) || (x == 1.0 && std::isinf(y))) return nan;
  return std::pow(std::fabs(x), y);
}

double maxmag(double a, double b) {
  if (std::fabs(a) > std::fabs(b)) return a;
  return std::fabs(b) > std::fabs(a) ? b : std::fmax(a, b);
}

double minmag(double a, double b) {
  if (std::fabs(a) < std::fabs(b)) return a;
  return std::fabs(b) < std::fabs(a) ? b : std::fmin(a, b);
}

// The same text as in opencl_functions.cpp.
double clamp(double x, double low, double high) {
  return std::fmin(std::fmax(x, low), high);
}

double smoothstep(double low, double high, double x) {
  const double t = clamp((x - low) / (high - low), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

double sign(double x) {
  return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x == 0.0 ? x : 0.0;
}

using One = Function::One;
using Two = Function::Two;
using Three = Function::Three;
constexpr Function row(std::string_view name, std::string_view opencl, double work, One f) {
  return {name, opencl, work, f, nullptr, nullptr};
}
constexpr Function row(std::string_view name, std::string_view opencl, double work, Two f) {
  return {name, opencl, work, nullptr, f, nullptr};
}
constexpr Function row(std::string_view name, std::string_view opencl, double work, Three f) {
  return {name, opencl, work, nullptr, nullptr, f};
}

using D = double;
constexpr std::array table = {
    row("abs", "fabs", 1, One([](D a) { return std::fabs(a); })),
    row("acos", "acos", 20, One([](D a) { return std::acos(a); })),
    row("acosh", "acosh", 20, One([](D a) { return std::acosh(a); })),
    row("acospi", "acospi", 20, One([](D a) { return std::acos(a) / pi; })),
    row("asin", "asin", 20, One([](D a) { return std::asin(a); })),
    row("asinh", "asinh", 20, One([](D a) { return std::asinh(a); })),
    row("asinpi", "asinpi", 20, One([](D a) { return std::asin(a) / pi; })),
    row("atan", "atan", 20, One([](D a) { return std::atan(a); })),
    row("atan2", "atan2", 20, Two([](D a, D b) { return std::atan2(a, b); })),
    row("atan2pi", "atan2pi", 20, Two([](D a, D b) { return std::atan2(a, b) / pi; })),
    row("atanh", "atanh", 20, One([](D a) { return std::atanh(a); })),
    row("atanpi", "atanpi", 20, One([](D a) { return std::atan(a) / pi; })),
    row("cbrt", "cbrt", 20, One([](D a) { return std::cbrt(a); })),
    row("ceil", "ceil", 1, One([](D a) { return std::ceil(a); })),
    row("clamp", "model_clamp", 2, Three(clamp)),
    row("copysign", "copysign", 1, Two([](D a, D b) { return std::copysign(a, b); })),
    row("cos", "cos", 20, One([](D a) { return std::cos(a); })),
    row("cosh", "cosh", 20, One([](D a) { return std::cosh(a); })),
    row("cospi", "cospi", 20, One(cospi)),
    row("degrees", "model_degrees", 1, One([](D a) { return a * (180.0 / pi); })),
    row("erf", "erf", 20, One([](D a) { return std::erf(a); })),
    row("erfc", "erfc", 20, One([](D a) { return std::erfc(a); })),
    row("exp", "exp", 20, One([](D a) { return std::exp(a); })),
    row("exp10", "exp10", 20, One([](D a) { return std::pow(10.0, a); })),
    row("exp2", "exp2", 20, One([](D a) { return std::exp2(a); })),
    row("expm1", "expm1", 20, One([](D a) { return std::expm1(a); })),
    row("fabs", "fabs", 1, One([](D a) { return std::fabs(a); })),
    row("fdim", "fdim", 2, Two([](D a, D b) { return std::fdim(a, b); })),
    row("floor", "floor", 1, One([](D a) { return std::floor(a); })),
    row("fma", "fma", 1, Three([](D a, D b, D c) { return std::fma(a, b, c); })),
    row("fmax", "fmax", 1, Two([](D a, D b) { return std::fmax(a, b); })),
    row("fmin", "fmin", 1, Two([](D a, D b) { return std::fmin(a, b); })),
    row("fmod", "fmod", 20, Two([](D a, D b) { return std::fmod(a, b); })),
    row("hypot", "hypot", 20, Two([](D a, D b) { return std::hypot(a, b); })),
    row("isfinite", "model_isfinite", 1, One([](D a) { return std::isfinite(a) ? 1.0 : 0.0; })),
    row("isinf", "model_isinf", 1, One([](D a) { return std::isinf(a) ? 1.0 : 0.0; })),
    row("isnan", "model_isnan", 1, One([](D a) { return std::isnan(a) ? 1.0 : 0.0; })),
    row("lgamma", "lgamma", 40, One([](D a) { return std::lgamma(a); })),
    row("log", "log", 20, One([](D a) { return std::log(a); })),
    row("log10", "log10", 20, One([](D a) { return std::log10(a); })),
    row("log1p", "log1p", 20, One([](D a) { return std::log1p(a); })),
    row("log2", "log2", 20, One([](D a) { return std::log2(a); })),
    row("logb", "logb", 4, One([](D a) { return std::logb(a); })),
    row("mad", "fma", 1, Three([](D a, D b, D c) { return std::fma(a, b, c); })),
    row("max", "fmax", 1, Two([](D a, D b) { return std::fmax(a, b); })),
    row("maxmag", "maxmag", 4, Two(maxmag)),
    row("min", "fmin", 1, Two([](D a, D b) { return std::fmin(a, b); })),
    row("minmag", "minmag", 4, Two(minmag)),
    row("mix", "model_mix", 3, Three([](D a, D b, D t) { return a + (b - a) * t; })),
    row("pow", "pow", 20, Two([](D a, D b) { return std::pow(a, b); })),
    row("powr", "powr", 20, Two(powr)),
    row("radians", "model_radians", 1, One([](D a) { return a * (pi / 180.0); })),
    row("remainder", "remainder", 20, Two([](D a, D b) { return std::remainder(a, b); })),
    row("rint", "rint", 1, One([](D a) { return std::nearbyint(a); })),
    row("round", "round", 1, One([](D a) { return std::round(a); })),
    row("rsqrt", "rsqrt", 8, One([](D a) { return 1.0 / std::sqrt(a); })),
    row("sign", "model_sign", 2, One(sign)),
    row("sin", "sin", 20, One([](D a) { return std::sin(a); })),
    row("sinh", "sinh", 20, One([](D a) { return std::sinh(a); })),
    row("sinpi", "sinpi", 20, One(sinpi)),
    row("smoothstep", "model_smoothstep", 12, Three(smoothstep)),
    row("sqrt", "sqrt", 4, One([](D a) { return std::sqrt(a); })),
    row("step", "model_step", 1, Two([](D edge, D x) { return x < edge ? 0.0 : 1.0; })),
    row("tan", "tan", 20, One([](D a) { return std::tan(a); })),
    row("tanh", "tanh", 20, One([](D a) { return std::tanh(a); })),
    row("tanpi", "tanpi", 20, One([](D a) { return sinpi(a) / cospi(a); })),
    row("tgamma", "tgamma", 40, One([](D a) { return std::tgamma(a); })),
    row("trunc", "trunc", 1, One([](D a) { return std::trunc(a); })),
};

}  // namespace

std::span<const Function> function_table() {
  return table;
}

const Function* find_function(std::string_view name) {
  for (const Function& function : table) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

}  // namespace atl::expression
