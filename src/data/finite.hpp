// The check of a table whose cells came as binary numbers.
#pragma once
#include <cstddef>
#include <functional>
#include <string>

#include "data/table.hpp"

namespace atl::data {

/// Refuses infinite cells of the columns in use, and NaN unless missing cells are ignored: Error 65 with
/// place(row, column), row and column.
void check_finite(const Table& table, const TableOptions& options,
                  const std::function<std::string(std::size_t row, std::size_t column)>& place);

}  // namespace atl::data
