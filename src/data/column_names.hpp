// Names of a table's columns: from the file, from the caller, or their numbers.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/table.hpp"

namespace atl::data {

struct ColumnNames {
  std::vector<std::string> names;
  std::string place;  // "points.csv:1" or "points.h5:/points@names"
};

/// Fills names and named of `table`. Error 65 for names of the file that are doubled, no UTF-8 or of the wrong number;
/// Error 78 at `where` for options.columns beside them or of the wrong number.
void name_columns(Table& table, std::size_t columns, const std::optional<ColumnNames>& from_file,
                  const TableOptions& options, const Location& where);

/// A flag a column: whether options.use asks for it, or for all.
[[nodiscard]] std::vector<bool> wanted_columns(const Table& table, const TableOptions& options);

/// `2 ("y")`, or `2` without a name; counted from 1.
[[nodiscard]] std::string describe_column(const Table& table, std::size_t column);

}  // namespace atl::data
