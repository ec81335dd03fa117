// Values written as TOML, so that reading them back gives the same bits.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"

namespace atl::config {

[[nodiscard]] std::string toml_text(double value);  // shortest that reads back equal; always a TOML float: 20.0
[[nodiscard]] std::string toml_text(std::int64_t value);
[[nodiscard]] std::string toml_text(bool value);
[[nodiscard]] std::string toml_text(std::string_view value);  // with quotes and escapes
[[nodiscard]] std::string toml_text(const std::vector<std::string>& values);
[[nodiscard]] std::string toml_text(const Value& value);

// Without this a string literal would prefer bool.
[[nodiscard]] inline std::string toml_text(const char* value) {
  return toml_text(std::string_view(value));
}

}  // namespace atl::config
