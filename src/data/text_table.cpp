#include "data/text_table.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "data/cell.hpp"
#include "data/column_names.hpp"
#include "data/text_lines.hpp"

namespace atl::data {
namespace {

constexpr std::array separators{Separator::tab, Separator::semicolon, Separator::comma, Separator::blanks};

// The first line whose count of cells differs from the first line's, or none.
const Line* first_ragged(const std::vector<Line>& lines, Separator separator) {
  const std::size_t columns = count_cells(lines.front().text, separator);
  for (const Line& line : lines) {
    if (count_cells(line.text, separator) != columns) return &line;
  }
  return nullptr;
}

std::vector<std::string> cells_of(const Line& line, Separator separator, const std::string& source) {
  std::vector<std::string> cells;
  CellReader reader(line.text, separator);
  std::string_view cell;
  while (reader.next(cell)) cells.emplace_back(cell);
  if (reader.malformed()) fail_at(ExitCode::bad_data, {source, line.number}, "a quote that does not end with its cell");
  return cells;
}

[[noreturn]] void refuse_ragged(const std::vector<Line>& lines, Separator separator, const std::string& source) {
  const Line& ragged = *first_ragged(lines, separator);
  const std::size_t columns = cells_of(lines.front(), separator, source).size();
  const std::size_t cells = cells_of(ragged, separator, source).size();
  fail_at(ExitCode::bad_data, {source, ragged.number}, "{} cell{}, but line {} has {} (separator {}{})", cells,
          cells == 1 ? "" : "s", lines.front().number, columns, name_of(separator),
          separator == Separator::blanks ? "; a name with blanks needs quotes" : "");
}

// Without a separator that fits, the message is about the one that splits the first line, else any line.
Separator find_separator(const std::vector<Line>& lines, const std::string& source) {
  for (const Separator separator : separators) {
    if (count_cells(lines.front().text, separator) > 1 && first_ragged(lines, separator) == nullptr) return separator;
  }
  for (const Separator separator : separators) {
    if (count_cells(lines.front().text, separator) > 1) refuse_ragged(lines, separator, source);
  }
  for (const Separator separator : separators) {
    if (first_ragged(lines, separator) != nullptr) refuse_ragged(lines, separator, source);
  }
  return Separator::none;
}

bool is_name(const std::string& cell) {
  return read_cell(cell).kind == CellKind::text;
}

// Why a first row with names in it was not taken for a header.
std::string header_hint(const std::vector<std::string>& first) {
  const auto names = std::count_if(first.begin(), first.end(), is_name);
  const auto odd = std::find_if_not(first.begin(), first.end(), is_name);
  if (names == 0 || odd == first.end()) return "";
  return fmt::format(" (no header, because column {} of this first row {}; a header has a name in every column)",
                     odd - first.begin() + 1, odd->empty() ? "is empty" : "holds \"" + *odd + "\"");
}

struct Layout {
  Separator separator = Separator::none;
  std::vector<std::string> first;  // cells of the first line
  bool header = false;
  std::vector<bool> wanted;  // columns whose cells must be numbers
};

// A column of a text table and where it stands, for messages.
std::string cell_text(std::size_t row, std::size_t column, const Table& table) {
  return fmt::format("row {}, column {}", row + 1, describe_column(table, column));
}

void read_row(const Line& line, std::size_t row, const Layout& layout, Missing missing, Table& table) {
  CellReader reader(line.text, layout.separator);
  std::string_view text;
  for (std::size_t column = 0; reader.next(text); ++column) {
    if (!layout.wanted[column]) continue;
    const Cell cell = read_cell(text);
    double& value = table.values[column * table.rows + row];
    if (cell.kind == CellKind::number) {
      value = cell.value;
    } else if (cell.kind == CellKind::missing && missing == Missing::ignore) {
      value = std::numeric_limits<double>::quiet_NaN();
    } else {
      fail_at(ExitCode::bad_data, {table.source, line.number}, "{}: {}{}", cell_text(row, column, table),
              complaint(cell, text), row == 0 && !layout.header ? header_hint(layout.first) : "");
    }
  }
  if (reader.malformed())
    fail_at(ExitCode::bad_data, {table.source, line.number}, "a quote that does not end with its cell");
}

// In a file of one column a blank line may be a missing cell or nothing at all: it is not for us to guess.
void refuse_blank_lines(const std::vector<Line>& lines, const std::string& source) {
  for (const Line& line : lines) {
    if (!line.after_blank) continue;
    fail_at(ExitCode::bad_data, {source, line.number - 1},
            "a blank line inside a file of one column: write NA for a missing value, or delete the line");
  }
}

}  // namespace

Table read_text_table(std::string_view content, const std::string& source, const TableOptions& options,
                      const Location& where) {
  const std::vector<Line> lines = table_lines(content, source);
  if (lines.empty()) fail_at(ExitCode::bad_data, {source, 1}, "no rows");
  Layout layout;
  layout.separator = find_separator(lines, source);
  layout.first = cells_of(lines.front(), layout.separator, source);
  layout.header = std::all_of(layout.first.begin(), layout.first.end(), is_name);
  if (layout.separator == Separator::none) refuse_blank_lines(lines, source);

  Table table;
  table.source = source;
  table.rows = lines.size() - (layout.header ? 1 : 0);
  if (table.rows == 0) fail_at(ExitCode::bad_data, {source, lines.front().number}, "a header and no rows below it");
  std::optional<ColumnNames> header;
  if (layout.header) header = ColumnNames{layout.first, fmt::format("{}:{}", source, lines.front().number)};
  name_columns(table, layout.first.size(), header, options, where);
  layout.wanted = wanted_columns(table, options);
  table.values.resize(table.rows * table.columns());
  for (std::size_t row = 0; row < table.rows; ++row)
    read_row(lines[row + (layout.header ? 1 : 0)], row, layout, options.missing, table);
  return table;
}

}  // namespace atl::data
