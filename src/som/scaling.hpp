// The space that maps are trained in: chosen columns, scaled or centred in double, rows together.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "config/som_settings.hpp"
#include "data/table.hpp"

namespace atl::som {

/// scaled = (value - offset) / scale, a column at a time. Missing cells are NaN and stay so.
struct ScaledData {
  std::vector<std::string> names;     // m
  std::vector<double> offset, scale;  // m
  std::size_t rows = 0;               // n
  std::vector<double> values;         // n * m, row-major
  bool scaled = false;                // any offset != 0 or scale != 1: weights are reported in double
  bool missing = false;               // any cell is NaN
  std::vector<std::string> notes;     // what was done unasked: columns centred

  [[nodiscard]] std::size_t columns() const { return names.size(); }
  /// A weight in the data's own units.
  [[nodiscard]] double unscaled(double value, std::size_t column) const {
    return value * scale[column] + offset[column];
  }
};

/// Keeps the columns of `data.use` and scales them: zscore by mean and standard deviation (over n), minmax to 0..1; a
/// constant column becomes 0. With `none` a column that stands far from 0 for its width is centred all the same (not
/// for cosine, whose angles are seen from 0): single precision would lose what tells its values apart.
/// Errors 78 for columns that are not there or named twice, 65 for a column without any present cell and for missing
/// cells where the training has no meaning for them.
[[nodiscard]] ScaledData scale(const data::Table& table, const config::SomData& data,
                               const config::SomTraining& training);

}  // namespace atl::som
