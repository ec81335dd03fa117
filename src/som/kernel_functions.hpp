// Functions that host and devices share: parts of kernels/ compiled as C++, in double.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>

// NOLINTBEGIN: the included files are OpenCL C
#define ATOLL_FUNCTION inline
#define ATOLL_WORDS(a, b, c, d) (uint4{(a), (b), (c), (d)})

namespace atl::som::kernel {
using uint = std::uint32_t;
using ulong = std::uint64_t;
using real = double;
struct uint4 {
  uint x, y, z, w;
};
using std::abs;
using std::exp;
using std::pow;
using std::sqrt;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include "../../kernels/common/philox.cl"
#include "../../kernels/som/order.cl"
#include "../../kernels/som/schedule.cl"
#include "../../kernels/som/shape.cl"
#pragma GCC diagnostic pop
}  // namespace atl::som::kernel

#undef ATOLL_FUNCTION
#undef ATOLL_WORDS
// NOLINTEND
