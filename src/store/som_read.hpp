// A sweep's file read back, finished or not.
#pragma once
#include <cstddef>

#include "store/hdf5.hpp"
#include "store/som_summary.hpp"

namespace atl::store {

/// Errors 65 for tables that are missing or of unequal length.
[[nodiscard]] SomSummary read_som_summary(const ReadFile& file);
[[nodiscard]] SomSuggestions read_som_suggestions(const ReadFile& file);

/// Maps that are finished by /runs/state; their bytes are not checked.
[[nodiscard]] std::size_t count_finished(const ReadFile& file);

}  // namespace atl::store
