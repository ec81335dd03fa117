// Summaries of a sweep of self-organizing maps, finished or not.
#pragma once
#include <string>

#include "store/hdf5.hpp"

namespace atl::cli {

/// For a person: state, data, the table of settings, the suggestions, provenance.
[[nodiscard]] std::string som_as_text(const store::ReadFile& file);

/// For a program: everything but single maps.
[[nodiscard]] std::string som_as_json(const store::ReadFile& file);

}  // namespace atl::cli
