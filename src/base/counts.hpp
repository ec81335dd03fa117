// Numbers of things, as messages write them.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace atl {

/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::int64_t number);

/// "map" for 1, "maps" for any other number.
template <std::integral Number>
[[nodiscard]] std::string plural(Number number, std::string_view noun) {
  return std::string(noun) + (number == 1 ? "" : "s");
}

/// "1 map", "1,270 maps".
template <std::integral Number>
[[nodiscard]] std::string counted(Number number, std::string_view noun) {
  return grouped(static_cast<std::int64_t>(number)) + " " + plural(number, noun);
}

}  // namespace atl
