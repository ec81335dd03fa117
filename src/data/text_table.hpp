// csv, tsv and blank-separated text.
#pragma once
#include <string>
#include <string_view>

#include "data/table.hpp"

namespace atl::data {

/// Reads a text table. A first row without any number or missing token is a header. The separator is the first of tab,
/// semicolon, comma, blanks that gives equal counts above one on all rows; a file without any has one column.
/// `where` is the place that names the file (for options that contradict it).
[[nodiscard]] Table read_text_table(std::string_view content, const std::string& source, const TableOptions& options,
                                    const Location& where);

}  // namespace atl::data
