// Tables from datasets of HDF5 files.
#pragma once
#include <string>

#include "data/table.hpp"

namespace atl::data {

/// Reads "file.h5:/path"; without a path the file must hold one dataset only. A 2-D dataset is a table, a 1-D one is
/// one column; names come from its attribute `names`, if there is one.
[[nodiscard]] Table read_h5(const std::string& path, const TableOptions& options, const Location& where);

}  // namespace atl::data
