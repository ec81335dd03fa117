// The lists of [sweep]: ranges of neurons, shapes of grids, start values. Each is checked, expanded and recorded.
#pragma once
#include "config/reader.hpp"
#include "config/som_settings.hpp"

namespace atl::config {

/// Reads [sweep] from a reader that has it declared.
[[nodiscard]] SweepSettings read_sweep(Reader& reader);

}  // namespace atl::config
