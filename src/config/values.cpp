// What a value means: numbers in any spelling, paths against the right folder, words for messages.
#include <cmath>
#include <filesystem>

#include "config/document.hpp"
#include "config/toml_text.hpp"

namespace atl::config {

namespace {

constexpr double largest_exact = 9007199254740992.0;  // 2^53: every whole double up to here is exact

/// Length of the part of `path` that names a file: all of it, but for a ":/dataset" behind an HDF5 name.
std::size_t file_length(std::string_view path) {
  for (const std::string_view ending : {".h5:/", ".hdf5:/"}) {
    if (const std::size_t place = path.find(ending); place != std::string_view::npos) {
      return place + ending.size() - 2;
    }
  }
  return path.size();
}

}  // namespace

std::optional<std::int64_t> whole_number(const Value& value) {
  if (value.kind == Value::Kind::integer) return value.integer;
  if (value.kind != Value::Kind::real) return std::nullopt;
  if (!(std::fabs(value.real) <= largest_exact) || std::floor(value.real) != value.real) return std::nullopt;
  return static_cast<std::int64_t>(value.real);
}

std::optional<double> number(const Value& value) {
  if (value.kind == Value::Kind::integer) return static_cast<double>(value.integer);
  if (value.kind == Value::Kind::real) return value.real;
  return std::nullopt;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::table:
      return "a table";
    case Value::Kind::array:
      return fmt::format("an array of {}", value.items.size());
    case Value::Kind::string:
      return "the string " + toml_text(std::string_view(value.text));
    case Value::Kind::time:
      return "the date or time " + value.text;
    default:
      return toml_text(value);
  }
}

std::string resolved_path(const Document& document, const Value& value) {
  const std::size_t length = file_length(value.text);
  std::filesystem::path file = value.text.substr(0, length);
  if (value.in_file()) file = std::filesystem::path(document.folder) / file;  // an absolute `file` stays as it is
  return file.lexically_normal().string() + value.text.substr(length);
}

std::string absolute_path(const std::string& path) {
  const std::size_t length = file_length(path);
  return std::filesystem::absolute(path.substr(0, length)).lexically_normal().string() + path.substr(length);
}

}  // namespace atl::config
