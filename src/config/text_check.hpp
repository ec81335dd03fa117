// What a TOML text must satisfy before the TOML library sees it.
#pragma once
#include <string>
#include <string_view>

namespace atl::config {

/// Refuses (78, at source:line:column) control bytes, bad UTF-8, non-ASCII characters outside strings and comments,
/// private characters U+F0000 to U+FFFFF (shelter.hpp needs them), and dotted keys of more than 16 parts. toml++ 3.3
/// has undefined behaviour on stray bytes, and recursion follows the depth of a key.
void check_text(std::string_view text, const std::string& source);

}  // namespace atl::config
