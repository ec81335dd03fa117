// A checkpoint of a search, read back.
#pragma once
#include <string>

#include "store/hdf5.hpp"

namespace atl::cli {

/// For a person: where the search stands, and how to go on. Error 65 when the file is damaged.
[[nodiscard]] std::string checkpoint_as_text(const store::ReadFile& file);

/// For a program: its attributes.
[[nodiscard]] std::string checkpoint_as_json(const store::ReadFile& file);

}  // namespace atl::cli
