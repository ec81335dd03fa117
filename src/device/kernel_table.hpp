// The kernels of kernels/, as they stand in the binary.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace atl::device {

struct KernelFile {
  std::string_view name;  // path below kernels/, e.g. "de/evolve.cl"
  std::string_view text;
};

/// Every embedded kernel file, sorted by name. Generated at build time.
[[nodiscard]] std::span<const KernelFile> kernel_table();

/// The text of one file, preceded by a #line that makes compiler messages name it. Throws internal for an unknown name.
[[nodiscard]] std::string kernel_source(std::string_view name);

}  // namespace atl::device
