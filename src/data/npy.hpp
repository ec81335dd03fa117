// Tables from NumPy's .npy files.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "data/table.hpp"

namespace atl::data {

/// A 2-D array is a table, a 1-D one is one column. Integers beyond 2^53 are rounded to the nearest double.
[[nodiscard]] Table read_npy(std::span<const std::byte> file, const std::string& source, const TableOptions& options,
                             const Location& where);

}  // namespace atl::data
