// The kernel of a group of maps trained online, specialised by defines.
#pragma once
#include <cstddef>
#include <string>

#include "som/online_groups.hpp"

namespace atl::som {

struct OnlineKernel {
  cl::Kernel kernel;
  std::size_t cached = 0;       // team: bytes of points in local memory
  std::size_t local_table = 0;  // team: numbers of a map's table in local memory
};

/// `longest_table`: numbers in the largest neighborhood table; `streamed`: see STREAMED in kernels/som/task.cl.
[[nodiscard]] OnlineKernel online_kernel(Engine& engine, const OnlineGroup& group, std::size_t longest_table,
                                         bool streamed);

/// The kernel and its size, for logs: "registers 4x2", "team 32x8 x16 ptx".
[[nodiscard]] std::string describe(const Engine& engine, const OnlineGroup& group, const OnlineKernel& kernel);

}  // namespace atl::som
