// The typed questions of the reader.
#include <algorithm>
#include <charconv>
#include <limits>

#include "config/reader.hpp"
#include "config/suggest.hpp"

namespace atl::config {

namespace {

/// "a number from 0 to 1", "a finite number above 0": the ends of the doubles are no news to anybody.
std::string words_for(const Interval& interval) {
  const bool low = interval.low > -std::numeric_limits<double>::max();
  const bool high = interval.high < std::numeric_limits<double>::max();
  const std::string from = low ? fmt::format(" {} {}", interval.open ? "above" : "from", interval.low) : "";
  const std::string to = high ? fmt::format(" {} {}", interval.open ? "up to" : "to", interval.high) : "";
  return (low && high ? "a number" : "a finite number") + from + (low || !high ? to : " up to" + to.substr(3));
}

}  // namespace

std::int64_t Reader::check(const Value& value, std::string_view key, Range range) const {
  const std::optional<std::int64_t> whole = whole_number(value);
  if (!whole || *whole < range.low || *whole > range.high) {
    refuse(line_of(value), key,
           fmt::format("must be an integer from {} to {}, not {}", range.low, range.high, describe(value)));
  }
  return *whole;
}

double Reader::check(const Value& value, std::string_view key, Interval interval) const {
  const std::optional<double> real = number(value);
  const bool inside = real && *real <= interval.high && (interval.open ? *real > interval.low : *real >= interval.low);
  if (!inside) {
    refuse(line_of(value), key, fmt::format("must be {}, not {}", words_for(interval), describe(value)));
  }
  return *real;
}

const std::string& Reader::check_text_of(const Value& value, std::string_view key) const {
  if (value.kind != Value::Kind::string) {
    refuse(line_of(value), key, fmt::format("must be a string, not {}", describe(value)));
  }
  if (value.text.empty()) refuse(line_of(value), key, "must not be empty");
  return value.text;
}

void Reader::wrong_word(const Value& value, std::string_view key, const std::vector<std::string>& words,
                        std::initializer_list<std::string_view> later) const {
  const std::string& word = check_text_of(value, key);
  for (const std::string_view name : later) {
    if (name.ends_with(':') ? word.starts_with(name) : word == name) {
      refuse(line_of(value), key,
             fmt::format("\"{}\" is not available in this version; available: {}", word, joined(words)));
    }
  }
  refuse(line_of(value), key,
         fmt::format("{} is not one of {}{}", toml_text(word), joined(words), suggestion(word, words)));
}

std::size_t Reader::pick(std::string_view key, std::size_t usual, const std::vector<std::string>& words,
                         std::initializer_list<std::string_view> later) {
  std::size_t chosen = usual;
  if (const Value* value = find(key)) {
    const std::string& word = check_text_of(*value, key);
    chosen = static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
    if (chosen == words.size()) wrong_word(*value, key, words, later);
  }
  record(key, toml_text(words[chosen]));
  return chosen;
}

std::optional<std::int64_t> Reader::integer(std::string_view key, Range range) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const std::int64_t whole = check(*value, key, range);
  record(key, toml_text(whole));
  return whole;
}

std::int64_t Reader::integer(std::string_view key, Range range, std::int64_t fallback) {
  if (const std::optional<std::int64_t> whole = integer(key, range)) return *whole;
  record(key, toml_text(fallback));
  return fallback;
}

std::optional<double> Reader::real(std::string_view key, Interval interval) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  const double real = check(*value, key, interval);
  record(key, toml_text(real));
  return real;
}

double Reader::real(std::string_view key, Interval interval, double fallback) {
  if (const std::optional<double> given = real(key, interval)) return *given;
  record(key, toml_text(fallback));
  return fallback;
}

std::uint64_t Reader::seed(std::string_view key, std::uint64_t fallback) {
  std::uint64_t seed = fallback;
  if (const Value* value = find(key)) {
    const std::optional<std::int64_t> whole = whole_number(*value);
    const std::string text = whole ? toml_text(*whole) : value->text;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (fault != std::errc() || end != text.data() + text.size() || text.empty()) {
      const bool too_large = fault == std::errc::result_out_of_range && end == text.data() + text.size();
      refuse(key, fmt::format("must be an integer from 0 to {}, not {}", std::numeric_limits<std::uint64_t>::max(),
                              too_large ? text : describe(*value)));
    }
  }
  const bool toml_integer = seed <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  record(key, toml_integer ? toml_text(static_cast<std::int64_t>(seed)) : toml_text(std::to_string(seed)));
  return seed;
}

bool Reader::boolean(std::string_view key, bool fallback) {
  const Value* value = find(key);
  if (value != nullptr && value->kind != Value::Kind::boolean) {
    refuse(key, fmt::format("must be true or false, not {}", describe(*value)));
  }
  const bool answer = value == nullptr ? fallback : value->boolean;
  record(key, toml_text(answer));
  return answer;
}

std::optional<std::string> Reader::text(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  std::string text = check_text_of(*value, key);
  record(key, toml_text(text));
  return text;
}

std::string Reader::text(std::string_view key, const std::string& fallback) {
  if (const std::optional<std::string> given = text(key)) return *given;
  record(key, toml_text(fallback));
  return fallback;
}

std::vector<std::string> Reader::texts(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return {};
  if (value->kind != Value::Kind::array) {
    refuse(key, fmt::format("must be an array of strings, not {}", describe(*value)));
  }
  std::vector<std::string> words;
  for (const Value& item : value->items) words.push_back(check_text_of(item, key));
  record(key, toml_text(words));
  return words;
}

std::optional<std::string> Reader::path(std::string_view key) {
  const Value* value = find(key);
  if (value == nullptr) return std::nullopt;
  static_cast<void>(check_text_of(*value, key));
  std::string path = resolved_path(document_, *value);
  record(key, toml_text(absolute_path(path)));
  return path;
}

}  // namespace atl::config
