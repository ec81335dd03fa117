// "did you mean": the nearest of the allowed words.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace atl::config {

/// The allowed word nearest to `word`, or an empty string where none is near (at most one edit in three letters; an
/// edit is a letter added, dropped, changed, or swapped with its neighbour; upper and lower case count as equal).
[[nodiscard]] std::string close_match(std::string_view word, const std::vector<std::string>& allowed);

/// "; did you mean ring?" or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& allowed);

}  // namespace atl::config
