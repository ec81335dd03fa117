#include "data/finite.hpp"

#include <cmath>

#include "data/column_names.hpp"

namespace atl::data {
namespace {

bool acceptable(double value, Missing missing) {
  return std::isfinite(value) || (std::isnan(value) && missing == Missing::ignore);
}

}  // namespace

void check_finite(const Table& table, const TableOptions& options,
                  const std::function<std::string(std::size_t row, std::size_t column)>& place) {
  const std::vector<bool> wanted = wanted_columns(table, options);
  for (std::size_t column = 0; column < table.columns(); ++column) {
    if (!wanted[column]) continue;
    for (std::size_t row = 0; row < table.rows; ++row) {
      const double value = table.values[column * table.rows + row];
      if (acceptable(value, options.missing)) continue;
      fail(ExitCode::bad_data, "{}: row {}, column {}: {}", place(row, column), row + 1, describe_column(table, column),
           std::isnan(value) ? "the value is missing (nan)" : fmt::format("{} is not finite", value));
    }
  }
}

}  // namespace atl::data
