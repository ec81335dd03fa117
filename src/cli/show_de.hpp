// Summaries of a differential evolution result.
#pragma once
#include <string>

#include "store/hdf5.hpp"

namespace atl::cli {

/// For a person: outcome, parameters, islands, history, devices, provenance.
[[nodiscard]] std::string de_as_text(const store::ReadFile& file);

/// For a program: everything but populations, migrations and fits; of the history the last row.
[[nodiscard]] std::string de_as_json(const store::ReadFile& file);

}  // namespace atl::cli
