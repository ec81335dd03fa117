#include "config/document.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "config/shelter.hpp"
#include "config/text_check.hpp"

// toml++ 3.3 stops the whole process on "[=" unless its assertions are off, and it recurses over nested values.
#ifndef NDEBUG
#define NDEBUG
#endif
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

namespace atl::config {

namespace {

constexpr std::size_t largest_file = std::size_t{64} << 20;  // bytes; 100,000 parameters need about 5 MiB

/// The text by lines, to find the character that stands at a line and column.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text), starts_{0} {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  /// The text from line and column (both from 1; a column is a character, not a byte).
  [[nodiscard]] std::string_view from(toml::source_position position) const {
    if (position.line < 1 || position.line > starts_.size()) return {};
    std::size_t at = starts_[position.line - 1];
    const auto continues = [&](std::size_t i) { return i < text_.size() && (text_[i] & 0xC0) == 0x80; };
    for (toml::source_index column = 1; column < position.column && at < text_.size(); ++column) {
      do ++at;
      while (continues(at));
    }
    return text_.substr(std::min(at, text_.size()));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

Location at(toml::source_position position, const std::string& source) {
  return {source, static_cast<int>(position.line), static_cast<int>(position.column)};
}

/// Where the first character inside the quotes of a string stands.
Location content_of(const toml::node& node, const Lines& lines, const std::string& source) {
  Location content = at(node.source().begin, source);
  const std::string_view text = lines.from(node.source().begin);
  const bool several_lines = text.starts_with("\"\"\"") || text.starts_with("'''");
  content.column += several_lines ? 3 : 1;
  if (several_lines && text.substr(3).starts_with("\n")) content = {source, content.line + 1, 1};
  if (several_lines && text.substr(3).starts_with("\r\n")) content = {source, content.line + 1, 1};
  return content;
}

Value converted(const toml::node& node, const Lines& lines, const std::string& source) {
  Value value;
  value.where = at(node.source().begin, source);
  if (const toml::table* table = node.as_table()) {
    value.kind = Value::Kind::table;
    for (const auto& [key, item] : *table) {
      value.items.push_back(converted(item, lines, source));
      value.items.back().key = restored(key.str());
      value.items.back().where = at(key.source().begin, source);
    }
    // toml++ sorts by name; the order of the file means something to us.
    std::stable_sort(value.items.begin(), value.items.end(), [](const Value& a, const Value& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
  } else if (const toml::array* array = node.as_array()) {
    value.kind = Value::Kind::array;
    for (const toml::node& item : *array) value.items.push_back(converted(item, lines, source));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::string;
    value.text = restored(text->get());
    value.content = content_of(node, lines, source);
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::integer;
    value.integer = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Value::Kind::real;
    value.real = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.boolean = boolean->get();
  } else {
    value.kind = Value::Kind::time;
    std::ostringstream written;
    if (const auto* date = node.as_date()) written << *date;
    if (const auto* time = node.as_time()) written << *time;
    if (const auto* both = node.as_date_time()) written << *both;
    value.text = written.str();
  }
  return value;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  if (const std::size_t place = text.find(from); place != std::string::npos) text.replace(place, from.size(), to);
}

/// toml++'s description in the words of a user who forgot something.
std::string friendly(std::string_view description) {
  std::string text(description);
  replace(text, "Error while parsing ", "");
  const bool lone_point = text.starts_with("floating-point: expected decimal digit") ||
                          text.starts_with("floating-point: encountered end-of-file");
  if (lone_point || text.find("could not determine value type") != std::string::npos) {
    return "not a value: text needs quotes (\"ring\"), a number needs a digit on both sides of its point";
  }
  if (text.starts_with("boolean: ")) {
    return "not a value: true and false are written in lower case, text needs quotes (\"ring\")";
  }
  if (text.find("not representable in 64 bits") != std::string::npos) {
    const std::size_t first = text.find('\'') + 1;
    using Integer = std::numeric_limits<std::int64_t>;
    return fmt::format("{} is beyond the integers of TOML, {} to {}; a seed up to {} may stand in quotes",
                       text.substr(first, text.find('\'', first) - first), Integer::min(), Integer::max(),
                       std::numeric_limits<std::uint64_t>::max());
  }
  if (text.find("cannot redefine existing") != std::string::npos) {
    const std::size_t quote = text.find('\'');
    return fmt::format("{} is given twice", quote == std::string::npos ? "a key" : text.substr(quote));
  }
  if (text.starts_with("inline table: ") && text.find("'\\n'") != std::string::npos) {
    return "a table in { } must stand on one line; write it as [name] with a line for each key instead";
  }
  replace(text, "encountered end-of-file", "the text ends too early");
  replace(text, "key-value pair: ", "");
  replace(text, "root table: ", "");
  replace(text, "could not be interpreted as a value", "is not a number that a double can hold");
  return text;
}

std::string file_text(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    fail(ExitCode::missing_input, "{}: is a folder, not a file", path);
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ExitCode::missing_input, "{}: cannot be read: {}", path, std::strerror(errno));
  std::string text;
  char block[65536];
  while (file.read(block, sizeof block) || file.gcount() > 0) {
    text.append(block, static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file) {
      fail(ExitCode::bad_configuration, "{}: is larger than {} MiB", path, largest_file >> 20U);
    }
  }
  if (file.bad()) fail(ExitCode::missing_input, "{}: cannot be read: {}", path, std::strerror(errno));
  return text;
}

}  // namespace

const Value* Value::find(std::string_view name) const {
  if (kind != Kind::table) return nullptr;
  for (const Value& item : items) {
    if (item.key == name) return &item;
  }
  return nullptr;
}

Document parse_document(std::string_view text, const std::string& source) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark, as some editors write it
  check_text(text, source);
  try {
    const toml::table table = toml::parse(std::string_view(sheltered(text)), std::string_view());
    return {source, "", converted(table, Lines(text), source)};
  } catch (const toml::parse_error& error) {
    fail_at(ExitCode::bad_configuration, at(error.source().begin, source), "{}",
            friendly(restored(error.description())));
  }
}

Document read_document(const std::string& path) {
  Document document = parse_document(file_text(path), path);
  document.folder = std::filesystem::path(path).parent_path().string();
  return document;
}

}  // namespace atl::config
