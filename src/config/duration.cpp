#include "config/duration.hpp"

#include <charconv>
#include <vector>

namespace atl::config {

namespace {

constexpr double longest = 3.2e9;  // seconds, a century: beyond it is a slip of the finger

/// A number in plain decimal digits at the front of `text`, which is shortened by it. With `point`, one may stand in
/// it.
std::optional<double> leading_number(std::string_view& text, bool point) {
  const std::size_t length = std::min(text.find_first_not_of(point ? "0123456789." : "0123456789"), text.size());
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + length, value, std::chars_format::fixed);
  if (length == 0 || fault != std::errc() || end != text.data() + length) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

/// "11h30m": every unit at most once, the larger first.
std::optional<double> with_units(std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  static constexpr Unit units[] = {{"d", 86400}, {"h", 3600}, {"m", 60}, {"s", 1}, {"ms", 0.001}};
  double total = 0;
  std::size_t next = 0;  // index of the largest unit that may still come
  while (!text.empty()) {
    const std::optional<double> count = leading_number(text, true);
    if (!count) return std::nullopt;
    const std::string_view name = text.substr(0, std::min(text.find_first_of("0123456789."), text.size()));
    while (next < std::size(units) && units[next].name != name) ++next;
    if (next == std::size(units)) return std::nullopt;
    total += *count * units[next].seconds;
    text.remove_prefix(name.size());
    ++next;
  }
  return total;
}

/// "MM:SS", "HH:MM:SS", "D-HH", "D-HH:MM", "D-HH:MM:SS": all but the first part stay below their unit.
std::optional<double> with_colons(std::string_view text) {
  double total = 0;
  bool days = false;
  if (text.find('-') != std::string_view::npos) {
    const std::optional<double> count = leading_number(text, false);
    if (!count || !text.starts_with('-')) return std::nullopt;
    text.remove_prefix(1);
    total = *count * 86400;
    days = true;
  }
  std::vector<double> parts;
  do {
    if (!parts.empty()) text.remove_prefix(1);
    const std::optional<double> part = leading_number(text, false);
    if (!part) return std::nullopt;
    parts.push_back(*part);
  } while (text.starts_with(':'));
  if (!text.empty() || parts.size() > 3 || (!days && parts.size() < 2)) return std::nullopt;
  if (days && parts[0] >= 24) return std::nullopt;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i] >= 60) return std::nullopt;
  }
  double unit = days || parts.size() == 3 ? 3600 : 60;
  for (const double part : parts) {
    total += part * unit;
    unit /= 60;
  }
  return total;
}

}  // namespace

std::optional<double> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool colons = text.find_first_of(":-") != std::string_view::npos;
  const std::optional<double> seconds = colons ? with_colons(text) : with_units(text);
  return seconds && *seconds <= longest ? seconds : std::nullopt;
}

double parse_duration(std::string_view text, const Location& where, ExitCode code) {
  const std::optional<double> seconds = parse_duration(text);
  if (!seconds) fail_at(code, where, "\"{}\" is not a duration; write {}", text, duration_forms);
  return *seconds;
}

}  // namespace atl::config
