#include "data/column_names.hpp"

#include <map>
#include <string_view>

namespace atl::data {
namespace {

// Names go into TOML, HDF5 and JSON, which all want UTF-8.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80           ? 1
                               : (lead >> 5) == 0x6  ? 2
                               : (lead >> 4) == 0xe  ? 3
                               : (lead >> 3) == 0x1e ? 4
                                                     : 0;
    if (length == 0 || length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(text[i]) >> 6) != 0x2) return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

void check_names(const std::vector<std::string>& names, ExitCode code, const std::string& place) {
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) fail(code, "{}: column {} has an empty name", place, i + 1);
    if (!is_utf8(names[i])) fail(code, "{}: the name of column {} is not UTF-8", place, i + 1);
    const auto [first, added] = seen.emplace(names[i], i);
    if (!added) fail(code, "{}: columns {} and {} are both called \"{}\"", place, first->second + 1, i + 1, names[i]);
  }
}

}  // namespace

void name_columns(Table& table, std::size_t columns, const std::optional<ColumnNames>& from_file,
                  const TableOptions& options, const Location& where) {
  const std::string place = where.text().empty() ? table.source : where.text();
  table.named = from_file.has_value() || !options.columns.empty();
  if (from_file) {
    if (!options.columns.empty())
      fail(ExitCode::bad_configuration, "{}: column names are given, but the file has its own ({})", place,
           from_file->place);
    if (from_file->names.size() != columns)
      fail(ExitCode::bad_data, "{}: {} names for {} columns", from_file->place, from_file->names.size(), columns);
    check_names(from_file->names, ExitCode::bad_data, from_file->place);
    table.names = from_file->names;
  } else if (!options.columns.empty()) {
    if (options.columns.size() != columns)
      fail(ExitCode::bad_configuration, "{}: {} column names are given, but {} has {} columns", place,
           options.columns.size(), table.source, columns);
    check_names(options.columns, ExitCode::bad_configuration, place);
    table.names = options.columns;
  } else {
    table.names.resize(columns);
    for (std::size_t i = 0; i < columns; ++i) table.names[i] = std::to_string(i);
  }
}

std::vector<bool> wanted_columns(const Table& table, const TableOptions& options) {
  std::vector<bool> wanted(table.columns(), options.use.empty());
  for (const std::string& column : options.use) {
    const std::size_t index = table.find_name_or_number(column);
    if (index < wanted.size()) wanted[index] = true;
  }
  return wanted;
}

std::string describe_column(const Table& table, std::size_t column) {
  if (!table.named) return std::to_string(column + 1);
  return fmt::format("{} (\"{}\")", column + 1, table.names[column]);
}

}  // namespace atl::data
