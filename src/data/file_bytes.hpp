// A whole input file in memory.
#pragma once
#include <string>

namespace atl::data {

/// The bytes of a regular file; Error 66 with the system's reason.
[[nodiscard]] std::string read_file(const std::string& path);

}  // namespace atl::data
