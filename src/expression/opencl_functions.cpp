#include "expression/expression.hpp"

namespace atl::expression {

// Functions whose value must not depend on the device's choices, and powers: written as calls, so that an operand such
// as sin(x) is computed once. multiplied_out() and function_table.cpp have the same formulas in the same order.
std::string_view opencl_functions() {
  return R"~~(#pragma OPENCL FP_CONTRACT OFF
static inline real model_power2(real a) { return a * a; }
static inline real model_power3(real a) { return a * a * a; }
static inline real model_power4(real a) { const real b = a * a; return b * b; }
static inline real model_power5(real a) { const real b = a * a; return b * b * a; }
static inline real model_power6(real a) { const real b = a * a * a; return b * b; }
static inline real model_power7(real a) { const real b = a * a * a; return b * b * a; }
static inline real model_power8(real a) { const real b = a * a, c = b * b; return c * c; }
static inline real model_clamp(real a, real low, real high) { return fmin(fmax(a, low), high); }
static inline real model_degrees(real a) { return a * (real)57.29577951308232; }
static inline real model_radians(real a) { return a * (real)0.017453292519943295; }
static inline real model_isfinite(real a) { return isfinite(a) ? (real)1 : (real)0; }
static inline real model_isinf(real a) { return isinf(a) ? (real)1 : (real)0; }
static inline real model_isnan(real a) { return isnan(a) ? (real)1 : (real)0; }
static inline real model_mix(real a, real b, real t) { return a + (b - a) * t; }
static inline real model_sign(real a) {
  return a > (real)0 ? (real)1 : a < (real)0 ? (real)-1 : a == (real)0 ? a : (real)0;
}
static inline real model_smoothstep(real low, real high, real a) {
  const real t = model_clamp((a - low) / (high - low), (real)0, (real)1);
  return t * t * ((real)3 - (real)2 * t);
}
static inline real model_step(real edge, real a) { return a < edge ? (real)0 : (real)1; }
)~~";
}

}  // namespace atl::expression
