// Sizes as a person reads them.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace atl::device {

/// "17 bytes", "1.5 KiB", "4.10 GiB": three significant digits at most.
[[nodiscard]] inline std::string human_bytes(std::size_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
  auto value = static_cast<double>(bytes) / 1024;
  int unit = 0;
  for (; value >= 1000 && unit < 4; ++unit) value /= 1024;
  return fmt::format("{:.3g} {}", value, units[unit]);
}

}  // namespace atl::device
