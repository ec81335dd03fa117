#include "data/cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace atl::data {
namespace {

bool equal_letters(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Digits on both sides of a comma, and nothing that a number could not hold: "1,5", "-1.234,5e3", "1,000.5".
bool has_decimal_comma(std::string_view text) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos || comma == 0 || comma + 1 == text.size()) return false;
  return is_digit(text[comma - 1]) && is_digit(text[comma + 1]) &&
         text.find_first_not_of("0123456789.,+-eE ") == std::string_view::npos;
}

// from_chars says only "out of range"; the wider long double tells the too large from the too small.
Cell read_out_of_range(const char* first, const char* last) {
  long double wide = 0;
  const auto [end, fault] = std::from_chars(first, last, wide);
  if (fault != std::errc() || end != last || std::abs(wide) >= 1) return {CellKind::out_of_range, 0};
  return {CellKind::number, std::signbit(wide) ? -0.0 : 0.0};
}

std::string shortened(std::string_view text) {
  constexpr std::size_t longest = 40;
  return text.size() <= longest ? std::string(text) : std::string(text.substr(0, longest)) + "...";
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Cell read_cell(std::string_view text) {
  text = trim(text);
  if (text.empty() || equal_letters(text, "na")) return {CellKind::missing, 0};
  std::string_view digits = text;
  if (digits.front() == '+') digits.remove_prefix(1);  // from_chars knows no leading plus
  if (digits.empty() || (digits.size() < text.size() && digits.front() == '-')) return {CellKind::text, 0};
  double value = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, fault] = std::from_chars(digits.data(), last, value);
  if (fault == std::errc::result_out_of_range && end == last) return read_out_of_range(digits.data(), last);
  if (fault != std::errc() || end != last)
    return {has_decimal_comma(text) ? CellKind::decimal_comma : CellKind::text, 0};
  if (std::isnan(value)) return {CellKind::missing, 0};
  if (std::isinf(value)) return {CellKind::infinite, 0};
  return {CellKind::number, value};
}

std::string complaint(const Cell& cell, std::string_view text) {
  const std::string shown = shortened(trim(text));
  switch (cell.kind) {
    case CellKind::number:
      break;
    case CellKind::missing:
      return shown.empty() ? "the cell is empty" : fmt::format("the value is missing (\"{}\")", shown);
    case CellKind::infinite:
      return fmt::format("\"{}\" is not finite", shown);
    case CellKind::out_of_range:
      return fmt::format("\"{}\" is beyond the largest double ({:.3g})", shown, std::numeric_limits<double>::max());
    case CellKind::decimal_comma:
      return fmt::format("\"{}\" has a decimal comma or thousands separators; write 1234.5", shown);
    case CellKind::text:
      return fmt::format("\"{}\" is not a number", shown);
  }
  return "";
}

}  // namespace atl::data
