#include "config/toml_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace atl::config {

std::string toml_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(std::int64_t value) {
  return fmt::format("{}", value);
}

std::string toml_text(bool value) {
  return value ? "true" : "false";
}

std::string toml_text(std::string_view value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\t') {
      text += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      text += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string toml_text(const std::vector<std::string>& values) {
  std::string text = "[";
  for (const std::string& value : values) text += (text.size() > 1 ? ", " : "") + toml_text(std::string_view(value));
  return text + "]";
}

std::string toml_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::table: {
      std::string text;
      for (const Value& item : value.items) {
        const bool bare = item.key.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == std::string::npos;
        text += text.empty() ? " " : ", ";
        text += bare && !item.key.empty() ? item.key : toml_text(std::string_view(item.key));
        text += " = " + toml_text(item);
      }
      return text.empty() ? "{}" : "{" + text + " }";
    }
    case Value::Kind::array: {
      std::string text = "[";
      for (const Value& item : value.items) text += (text.size() > 1 ? ", " : "") + toml_text(item);
      return text + "]";
    }
    case Value::Kind::string:
      return toml_text(std::string_view(value.text));
    case Value::Kind::integer:
      return toml_text(value.integer);
    case Value::Kind::real:
      return toml_text(value.real);
    case Value::Kind::boolean:
      return toml_text(value.boolean);
    case Value::Kind::time:
      return value.text;
  }
  return "";
}

}  // namespace atl::config
