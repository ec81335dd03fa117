// What the summaries of all file formats share.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "store/hdf5.hpp"

namespace atl::cli {

/// Rows of equally many cells as lines with two blanks in front. The first row is the heading; the first column and
/// those without a heading stand left, the others right.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// Indices of at most `most` rows of `count`, evenly spread, with the first and the last.
[[nodiscard]] std::vector<std::size_t> evenly(std::size_t count, std::size_t most);

/// Who made the file, when, where and with what.
[[nodiscard]] std::string provenance_as_text(const store::ReadFile& file);

/// Every root attribute under its own name; 64-bit numbers exactly, NaN and inf as null.
[[nodiscard]] nlohmann::ordered_json attributes_as_json(const store::ReadFile& file);

}  // namespace atl::cli
