#include <algorithm>

#include "base/error.hpp"
#include "device/kernel_table.hpp"

namespace atl::device {

std::string kernel_source(std::string_view name) {
  const auto table = kernel_table();
  const auto found = std::ranges::find(table, name, &KernelFile::name);
  if (found == table.end()) fail(ExitCode::internal, "there is no kernel file {} in this program", name);
  return fmt::format("#line 1 \"{}\"\n{}", found->name, found->text);
}

}  // namespace atl::device
