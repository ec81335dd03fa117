// Horner steps, rounded once.
#pragma once
#include "expression/node.hpp"

namespace atl::expression {

/// Makes one fused operation of a product plus or minus a single number, parameter or column: a*x + b is fma(a, x, b),
/// on the host and on the device. Devices run it in one step, and FP_CONTRACT is off, so none of them fuses by itself.
/// Nothing else is fused: of a sum of two products one would be rounded and the other not, and a*b - b*a not be 0.
void fuse(Tree& tree);

}  // namespace atl::expression
