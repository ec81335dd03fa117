// `atoll show FILE.h5`: a result read back for a person, or for a program.
#pragma once
#include <string>

namespace atl::cli {

/// Prints a summary of an atoll file on stdout. Errors: 66 no such file, 65 not an atoll file or a damaged one.
void show(const std::string& path, bool json);

/// The same as text.
[[nodiscard]] std::string shown(const std::string& path, bool json);

}  // namespace atl::cli
