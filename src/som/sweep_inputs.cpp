#include "som/sweep_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/counts.hpp"
#include "store/hdf5.hpp"

namespace atl::som {
namespace {

struct Rows {
  std::vector<double> values;  // (rows, columns), row-major, in the data's own units
  std::size_t columns = 0;
  std::vector<std::int64_t> offset;  // first row of each codebook, and the end
};

std::string shape_text(const store::Shape& shape) {
  return fmt::format("{}", fmt::join(shape, " x "));
}

store::DatasetPath split(const std::string& path, const char* key, const Location& where) {
  const auto parts = store::split_dataset_path(path);
  if (!parts || parts->dataset.empty())
    fail_at(ExitCode::bad_configuration, where, "{}: \"{}\" names no dataset; write \"file.h5:/path\"", key, path);
  return *parts;
}

Rows read_rows(const std::string& path, const Location& where) {
  const store::DatasetPath parts = split(path, "som.initial", where);
  const store::ReadFile file(parts.file);
  Rows rows;
  const bool many = file.has(parts.dataset + "/offset") && file.has(parts.dataset + "/values");
  const std::string values = many ? parts.dataset + "/values" : parts.dataset;
  const store::Shape shape = file.shape(values);
  if (shape.size() != 2)
    fail_at(ExitCode::bad_data, where, "som.initial: {} has the shape {}; start weights are neurons x columns", path,
            shape_text(shape));
  rows.values = file.doubles(values);
  rows.columns = shape[1];
  const auto count = static_cast<std::int64_t>(shape[0]);
  rows.offset = many ? file.integers(parts.dataset + "/offset") : std::vector<std::int64_t>{0, count};
  if (rows.offset.size() < 2 || rows.offset.front() != 0 || rows.offset.back() != count ||
      !std::is_sorted(rows.offset.begin(), rows.offset.end()))
    fail_at(ExitCode::bad_data, where, "som.initial: {}/offset does not cut {} into codebooks", path,
            counted(count, "row"));
  return rows;
}

Codebook scaled_codebook(const Rows& rows, std::size_t index, const ScaledData& data, const std::string& path,
                         const Location& where) {
  const auto first = static_cast<std::size_t>(rows.offset[index]);
  const auto last = static_cast<std::size_t>(rows.offset[index + 1]);
  Codebook codebook;
  codebook.neurons = static_cast<std::int32_t>(last - first);
  codebook.values.reserve((last - first) * rows.columns);
  for (std::size_t r = first; r < last; ++r)
    for (std::size_t c = 0; c < rows.columns; ++c) {
      const double value = rows.values[r * rows.columns + c];
      if (!std::isfinite(value))
        fail_at(ExitCode::bad_data, where, "som.initial: {}: neuron {}, column {} is {}; start weights must be finite",
                path, r - first, c, value);
      codebook.values.push_back((value - data.offset[c]) / data.scale[c]);
    }
  return codebook;
}

[[noreturn]] void refuse_size(const MapSetting& map, const Rows& rows, std::size_t columns, const std::string& path,
                              const Location& where) {
  const std::size_t books = rows.offset.size() - 1;
  const std::string there = books == 1 ? fmt::format("{} x {}", rows.offset.back(), rows.columns)
                                       : fmt::format("{} codebooks, none of them", books);
  fail_at(ExitCode::bad_data, where, "som.initial: {} is {}, but the maps of {} need {} x {}", path, there,
          counted(map.neurons(), "neuron"), map.neurons(), columns);
}

}  // namespace

std::vector<Codebook> read_codebooks(const config::SomTraining& training, const ScaledData& data, Plan& plan) {
  if (training.initial != config::MapInitial::file) return {};
  const std::string& path = training.initial_file;
  const Location& where = training.initial_where;
  const Rows rows = read_rows(path, where);
  if (rows.columns != data.columns())
    fail_at(ExitCode::bad_data, where, "som.initial: {} is {} x {}, but the points have {}", path, rows.offset.back(),
            rows.columns, counted(data.columns(), "column"));
  const std::size_t books = rows.offset.size() - 1;
  const auto size = [&](std::size_t book) { return rows.offset[book + 1] - rows.offset[book]; };
  bool one_each = books == plan.maps.size();
  std::map<std::int64_t, std::size_t> first_of_size;
  for (std::size_t book = 0; book < books; ++book) {
    first_of_size.emplace(size(book), book);
    one_each = one_each && size(book) == plan.maps[book].neurons();
  }
  std::vector<Codebook> codebooks;
  std::map<std::size_t, std::int32_t> read;  // book -> index in codebooks
  for (std::size_t m = 0; m < plan.maps.size(); ++m) {
    MapSetting& map = plan.maps[m];
    const auto found = first_of_size.find(map.neurons());
    if (found == first_of_size.end()) refuse_size(map, rows, data.columns(), path, where);
    const std::size_t book = one_each ? m : found->second;
    const auto [entry, fresh] = read.emplace(book, static_cast<std::int32_t>(codebooks.size()));
    if (fresh) codebooks.push_back(scaled_codebook(rows, book, data, path, where));
    map.codebook = entry->second;
  }
  return codebooks;
}

std::vector<std::int32_t> read_orders(const config::SomTraining& training, const ScaledData& data, const Plan& plan) {
  if (training.order != config::SampleOrder::file) return {};
  const std::string& path = training.order_file;
  const Location& where = training.order_where;
  const store::DatasetPath parts = split(path, "som.order", where);
  const store::ReadFile file(parts.file);
  const store::Shape shape = file.shape(parts.dataset);
  std::int32_t epochs = 0;
  for (const MapSetting& map : plan.maps) epochs = std::max(epochs, map.epochs);
  if (shape.size() != 2 || shape[1] != data.rows || shape[0] < static_cast<hsize_t>(epochs))
    fail_at(ExitCode::bad_data, where, "som.order: {} is {}, but {} of {} need {} x {}", path, shape_text(shape),
            counted(epochs, "epoch"), counted(data.rows, "point"), epochs, data.rows);
  const std::vector<std::int64_t> values = file.integers(parts.dataset);
  std::vector<std::int32_t> orders(static_cast<std::size_t>(epochs) * data.rows);
  std::vector<std::int32_t> seen(data.rows, -1);
  for (std::int32_t e = 0; e < epochs; ++e)
    for (std::size_t i = 0; i < data.rows; ++i) {
      const std::size_t at = static_cast<std::size_t>(e) * data.rows + i;
      const std::int64_t point = values[at];
      if (point < 0 || point >= static_cast<std::int64_t>(data.rows))
        fail_at(ExitCode::bad_data, where, "som.order: {}: row {}, entry {} is {}; points are numbered 0 to {}", path,
                e, i, point, data.rows - 1);
      if (seen[static_cast<std::size_t>(point)] == e)
        fail_at(ExitCode::bad_data, where, "som.order: {}: row {} names point {} twice; each row is a permutation",
                path, e, point);
      seen[static_cast<std::size_t>(point)] = e;
      orders[at] = static_cast<std::int32_t>(point);
    }
  return orders;
}

}  // namespace atl::som
