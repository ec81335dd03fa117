#include "som/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace atl::som {
namespace {

// A column further from 0 than this many of its own widths is centred: single precision then keeps at least 20 of its
// 24 bits for what tells the values apart.
constexpr double far_from_zero = 8;

std::size_t column_of(const data::Table& table, const std::string& wanted, const Location& where) {
  const std::size_t index = table.find_name_or_number(wanted);
  if (index < table.columns()) return index;
  if (wanted.find_first_not_of("0123456789") == std::string::npos)
    fail_at(ExitCode::bad_configuration, where, "data.use: there is no column {} in {}; it has {}, counted from 0",
            wanted, table.source, table.columns());
  std::string names;
  for (std::size_t c = 0; c < std::min<std::size_t>(table.columns(), 20); ++c)
    names += (c > 0 ? ", " : "") + table.names[c];
  if (table.columns() > 20) names += ", ...";
  fail_at(ExitCode::bad_configuration, where, "data.use: there is no column '{}' in {}; it has {}", wanted,
          table.source, names);
}

std::vector<std::size_t> chosen_columns(const data::Table& table, const config::SomData& data) {
  std::vector<std::size_t> chosen;
  if (data.use.empty()) {
    for (std::size_t c = 0; c < table.columns(); ++c) chosen.push_back(c);
    return chosen;
  }
  for (std::size_t i = 0; i < data.use.size(); ++i) {
    const Location where = i < data.use_where.size() ? data.use_where[i] : data.where;
    const std::size_t column = column_of(table, data.use[i], where);
    if (std::find(chosen.begin(), chosen.end(), column) != chosen.end())
      fail_at(ExitCode::bad_configuration, where, "data.use: column '{}' is named twice", data.use[i]);
    chosen.push_back(column);
  }
  return chosen;
}

struct ColumnSummary {
  std::size_t present = 0;
  double mean = 0, deviation = 0, min = 0, max = 0;  // deviation over n, of the present cells
};

ColumnSummary summarize(std::span<const double> column) {
  ColumnSummary s;
  s.min = std::numeric_limits<double>::infinity();
  s.max = -s.min;
  double first = 0;  // sums run over differences from the first value: huge offsets cost no digits
  double sum = 0;
  for (const double v : column) {
    if (std::isnan(v)) continue;
    if (s.present++ == 0) first = v;
    sum += v - first;
    s.min = std::min(s.min, v);
    s.max = std::max(s.max, v);
  }
  if (s.present == 0) return s;
  s.mean = first + sum / static_cast<double>(s.present);
  double squares = 0;
  for (const double v : column)
    if (!std::isnan(v)) squares += (v - s.mean) * (v - s.mean);
  s.deviation = std::sqrt(squares / static_cast<double>(s.present));
  return s;
}

/// Sets offset and scale of one column; true when it was centred unasked.
bool choose(const ColumnSummary& s, config::Scaling scaling, bool may_centre, double& offset, double& scale) {
  offset = 0;
  scale = 1;
  const double width = s.max - s.min;
  switch (scaling) {
    case config::Scaling::zscore:
      offset = width > 0 ? s.mean : s.min;
      if (width > 0 && s.deviation > 0) scale = s.deviation;
      return false;
    case config::Scaling::minmax:
      offset = s.min;
      if (width > 0) scale = width;
      return false;
    case config::Scaling::none:
      break;
  }
  if (!may_centre || width == 0 || std::abs(s.mean) <= far_from_zero * width) return false;
  offset = s.mean;
  return true;
}

void refuse_missing(const ScaledData& result, const config::SomTraining& training, const data::Table& table) {
  if (!result.missing) return;
  if (training.distance == config::MapDistance::cosine)
    fail(ExitCode::bad_data, "{}: som.distance = \"cosine\" has no meaning for rows with missing cells", table.source);
  if (training.initial == config::MapInitial::pca)
    fail_at(ExitCode::bad_data, training.initial_where,
            "som.initial = \"pca\" needs complete rows, but {} has missing cells; use \"sample\"", table.source);
}

}  // namespace

ScaledData scale(const data::Table& table, const config::SomData& data, const config::SomTraining& training) {
  if (table.rows == 0 || table.columns() == 0) fail(ExitCode::bad_data, "{}: there are no points", table.source);
  const std::vector<std::size_t> chosen = chosen_columns(table, data);
  ScaledData result;
  result.rows = table.rows;
  result.offset.resize(chosen.size());
  result.scale.resize(chosen.size());
  result.values.resize(table.rows * chosen.size());
  std::string centred;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const std::span<const double> column = table.column(chosen[c]);
    const std::string& name = result.names.emplace_back(table.names[chosen[c]]);
    const ColumnSummary s = summarize(column);
    if (s.present == 0) fail(ExitCode::bad_data, "{}: column '{}' has no value at all", table.source, name);
    if (!std::isfinite(s.max - s.min))
      fail(ExitCode::bad_data, "{}: column '{}' spans {} to {}, more than double precision holds", table.source, name,
           s.min, s.max);
    result.missing = result.missing || s.present < table.rows;
    if (choose(s, data.scale, training.distance != config::MapDistance::cosine, result.offset[c], result.scale[c]))
      centred += (centred.empty() ? "" : ", ") + name;
    result.scaled = result.scaled || result.offset[c] != 0 || result.scale[c] != 1;
    for (std::size_t r = 0; r < table.rows; ++r)
      result.values[r * chosen.size() + c] = (column[r] - result.offset[c]) / result.scale[c];
  }
  refuse_missing(result, training, table);
  if (!centred.empty())
    result.notes.push_back("centred, being far from 0 for their width: " + centred + " (see /data/offset)");
  return result;
}

}  // namespace atl::som
