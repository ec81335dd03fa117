// The device's small rules on the host: kernels/de/rules.cl compiled as C++ in double.
#pragma once
#include "de/draws.hpp"

// NOLINTBEGIN: the included file is OpenCL C
#define ATOLL_FUNCTION inline
namespace atl::de::draws64 {
#include "kernels/de/rules.cl"
}  // namespace atl::de::draws64
#undef ATOLL_FUNCTION
// NOLINTEND
