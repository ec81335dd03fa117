// The device's random draws on the host, bit for bit: kernels/common/{philox,draws}.cl compiled as C++, once a
// precision.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

// NOLINTBEGIN: the included files are OpenCL C
#define ATOLL_FUNCTION inline
#define ATOLL_WORDS(a, b, c, d) (uint4{(a), (b), (c), (d)})
#define AS_REAL(bits) std::bit_cast<real>(bits)
#define AS_BITS(value) std::bit_cast<real_bits>(value)

namespace atl::de::draws64 {
using uint = std::uint32_t;
using ulong = std::uint64_t;
using real = double;
using real_bits = std::uint64_t;
struct uint4 {
  uint x, y, z, w;
};
using std::sqrt;
#define REAL_EXPONENT_BITS 11
#define REAL_MANTISSA_BITS 52
#include "kernels/common/philox.cl"
//
#include "kernels/common/draws.cl"
#undef REAL_EXPONENT_BITS
#undef REAL_MANTISSA_BITS
}  // namespace atl::de::draws64

namespace atl::de::draws32 {
using uint = std::uint32_t;
using ulong = std::uint64_t;
using real = float;
using real_bits = std::uint32_t;
struct uint4 {
  uint x, y, z, w;
};
using std::sqrt;
#define ATOLL_SINGLE
#define REAL_EXPONENT_BITS 8
#define REAL_MANTISSA_BITS 23
#include "kernels/common/philox.cl"
//
#include "kernels/common/draws.cl"
#undef ATOLL_SINGLE
#undef REAL_EXPONENT_BITS
#undef REAL_MANTISSA_BITS
}  // namespace atl::de::draws32

#undef ATOLL_FUNCTION
#undef ATOLL_WORDS
#undef AS_REAL
#undef AS_BITS
// NOLINTEND
