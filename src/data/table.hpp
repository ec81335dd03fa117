// A table of numbers from csv, tsv, txt, npy or HDF5, checked and in double.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace atl::data {

enum class Missing {
  error,  // an empty, NA, nan or text cell is refused with row and column
  ignore  // empty, NA and nan cells become NaN; text is still refused
};

struct Table {
  std::string source;              // the path as given, for messages
  std::vector<std::string> names;  // one a column; "0", "1", ... for a file without names
  bool named = false;              // names came from a header, a file attribute or the caller
  std::size_t rows = 0;
  std::vector<double> values;  // column-major: values[column * rows + row]

  [[nodiscard]] std::size_t columns() const { return names.size(); }
  [[nodiscard]] std::span<const double> column(std::size_t c) const {
    return std::span(values).subspan(c * rows, rows);
  }
  /// Index of a column, or columns() when there is none of that name.
  [[nodiscard]] std::size_t find(const std::string& name) const;
  /// The same for a name or, where no column is called so, a number from 0.
  [[nodiscard]] std::size_t find_name_or_number(const std::string& wanted) const;
};

struct TableOptions {
  std::vector<std::string> columns = {};  // names for a file without a header; refused beside a header
  Missing missing = Missing::error;
  std::vector<std::string> use = {};  // names or numbers of the columns to check and keep; empty: all
};

/// Reads `path` (.csv .tsv .txt .npy, or .h5 as "file.h5:/dataset"). Errors: 66 missing or unreadable file, 65 content,
/// with the file's line (text) or byte offset (npy). Columns outside `use` may hold anything and become NaN; names in
/// it that the table lacks are the caller's to refuse. `where` is the place in the problem file that names the path.
[[nodiscard]] Table read_table(const std::string& path, const TableOptions& options, const Location& where);

/// FNV-1a 64 of names and values: the part of a configuration hash that says "the same data".
[[nodiscard]] std::uint64_t fingerprint(const Table& table);

}  // namespace atl::data
