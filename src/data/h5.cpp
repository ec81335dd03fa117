#include "data/h5.hpp"

#include <optional>

#include "data/column_names.hpp"
#include "data/finite.hpp"
#include "store/hdf5.hpp"

namespace atl::data {
namespace {

std::string only_dataset(const store::ReadFile& file) {
  const auto there = file.datasets();
  if (there.size() == 1) return there.front();
  if (there.empty()) fail(ExitCode::bad_data, "{}: the file holds no dataset", file.path());
  fail(ExitCode::bad_data, "{}: name a dataset, as in {}:{}; the file holds {}", file.path(), file.path(),
       there.front(), store::listed(there));
}

}  // namespace

Table read_h5(const std::string& path, const TableOptions& options, const Location& where) {
  const auto parts = store::split_dataset_path(path);
  const store::ReadFile file(parts ? parts->file : path);
  const std::string dataset = parts && !parts->dataset.empty() ? parts->dataset : only_dataset(file);
  const std::string place = file.path() + ":" + dataset;
  const store::Shape shape = file.shape(dataset);
  if (shape.empty() || shape.size() > 2)
    fail(ExitCode::bad_data, "{}: a dataset of shape ({}); a table has 1 or 2 dimensions", place,
         fmt::join(shape, ", "));
  const std::size_t rows = shape[0], columns = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || columns == 0)
    fail(ExitCode::bad_data, "{}: a dataset of shape ({}) has no cells", place, fmt::join(shape, ", "));
  const std::vector<double> values = file.doubles(dataset);  // row-major; refuses shapes beyond the file's size

  Table table;
  table.source = path;
  table.rows = rows;
  std::optional<ColumnNames> names;
  if (file.has_attribute(dataset, "names"))
    names = ColumnNames{file.texts_attribute(dataset, "names"), place + "@names"};
  name_columns(table, columns, names, options, where);
  table.values.resize(values.size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) table.values[column * rows + row] = values[row * columns + column];
  }
  check_finite(table, options.missing, [&](std::size_t, std::size_t) { return std::string(place); });
  return table;
}

}  // namespace atl::data
