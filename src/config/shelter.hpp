// Characters beyond ASCII in a shape that the TOML library can stand.
#pragma once
#include <string>
#include <string_view>

namespace atl::config {

/// toml++ 3.3 runs into undefined behaviour when it asks whether é or another character below U+FF00 is white space. So
/// it sees U+0080..U+FFFF as U+F0080..U+FFFFF, which it asks nothing about: the text keeps its number of characters,
/// lines and columns. check_text has refused a text that uses those itself.
[[nodiscard]] std::string sheltered(std::string_view text);

/// The way back.
[[nodiscard]] std::string restored(std::string_view text);

}  // namespace atl::config
