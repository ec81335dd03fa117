#include "data/h5.hpp"

#include <optional>

#include "data/column_names.hpp"
#include "data/finite.hpp"
#include "store/hdf5.hpp"
#include "store/try_in_child.hpp"

namespace atl::data {
namespace {

std::string only_dataset(const store::ReadFile& file) {
  const auto there = file.datasets();
  if (there.size() == 1) return there.front();
  if (there.empty()) fail(ExitCode::bad_data, "{}: the file holds no dataset", file.path());
  fail(ExitCode::bad_data, "{}: name a dataset, as in {}:{}; the file holds {}", file.path(), file.path(),
       there.front(), store::listed(there));
}

/// All but the numbers.
struct Head {
  std::string dataset, place;  // "/path", "file.h5:/path"
  std::size_t rows = 0, columns = 0;
  std::optional<ColumnNames> names;
};

Head read_head(const store::ReadFile& file, const std::string& dataset) {
  Head head;
  head.dataset = dataset.empty() ? only_dataset(file) : dataset;
  head.place = file.path() + ":" + head.dataset;
  const store::Shape shape = file.shape(head.dataset);
  if (shape.empty() || shape.size() > 2)
    fail(ExitCode::bad_data, "{}: a dataset of shape ({}); a table has 1 or 2 dimensions", head.place,
         fmt::join(shape, ", "));
  head.rows = shape[0];
  head.columns = shape.size() == 2 ? shape[1] : 1;
  if (head.rows == 0 || head.columns == 0)
    fail(ExitCode::bad_data, "{}: a dataset of shape ({}) has no cells", head.place, fmt::join(shape, ", "));
  if (file.has_attribute(head.dataset, "names"))
    head.names = ColumnNames{file.texts_attribute(head.dataset, "names"), head.place + "@names"};
  return head;
}

}  // namespace

Table read_h5(const std::string& path, const TableOptions& options, const Location& where) {
  const store::DatasetPath parts = store::split_dataset_path(path).value_or(store::DatasetPath{path, ""});
  store::try_in_child(parts.file, [&] { (void)read_head(store::ReadFile(parts.file), parts.dataset); });
  const store::ReadFile file(parts.file);
  const auto [dataset, place, rows, columns, names] = read_head(file, parts.dataset);
  const std::vector<double> values = file.doubles(dataset);  // row-major; refuses shapes beyond the file's size

  Table table;
  table.source = path;
  table.rows = rows;
  name_columns(table, columns, names, options, where);
  table.values.resize(values.size());
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) table.values[column * rows + row] = values[row * columns + column];
  }
  check_finite(table, options, [&, &at = place](std::size_t, std::size_t) { return at; });
  return table;
}

}  // namespace atl::data
