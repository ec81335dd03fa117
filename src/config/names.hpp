// Names that users make up.
#pragma once
#include <string>

#include "config/reader.hpp"

namespace atl::config {

/// Refuses a key of an open table that an expression could not use as a name: letters, digits and _, no digit first,
/// not pi.
void check_name(const Reader& reader, const Value& value, const std::string& table);

}  // namespace atl::config
