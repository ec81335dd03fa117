// Places inside the text of an expression, and the one way to report a fault there.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"

namespace atl::expression {

/// Counted in characters, not bytes, as editors do.
struct Position {
  int line = 0;       // line breaks of the text before it
  int column = 1;     // in its line, from 1
  int character = 1;  // in the whole text, from 1
};

/// throw Error 78 for `position` inside a text that starts at `where`. Where the user's file gives no column (--set),
/// the character of the text is named instead.
[[noreturn]] void fault(const Location& where, const Position& position, const std::string& message);

template <typename... Args>
[[noreturn]] void fault_at(const Location& where, const Position& position, fmt::format_string<Args...> format,
                           Args&&... args) {
  fault(where, position, fmt::format(format, std::forward<Args>(args)...));
}

/// Bytes of the valid UTF-8 character at the start of `text`, 0 if it is not valid.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// `text` for a message: at most 60 bytes, cut between characters.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace atl::expression
