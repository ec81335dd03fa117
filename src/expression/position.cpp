#include "expression/position.hpp"

namespace atl::expression {

void fault(const Location& where, const Position& position, const std::string& message) {
  Location place = where;
  if (where.line != 0) place.line += position.line;
  if (where.line == 0 || where.column == 0) {
    place.column = 0;
    fail_at(ExitCode::bad_configuration, place, "{} (at character {} of the expression)", message, position.character);
  }
  place.column = position.line == 0 ? where.column + position.column - 1 : position.column;
  fail_at(ExitCode::bad_configuration, place, "{}", message);
}

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto tail = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < text.size() && byte(i) >= low && byte(i) <= high;
  };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  // The ranges of RFC 3629, section 4: no overlong form, no surrogate, nothing above U+10FFFF.
  if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    return tail(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && tail(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    return tail(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return std::string(text);
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace atl::expression
