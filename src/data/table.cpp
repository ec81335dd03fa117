#include "data/table.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/fnv.hpp"
#include "data/column_names.hpp"
#include "data/file_bytes.hpp"
#include "data/h5.hpp"
#include "data/npy.hpp"
#include "data/text_table.hpp"
#include "store/hdf5.hpp"

namespace atl::data {
namespace {

std::string extension_of(const std::string& path) {
  const auto dot = path.rfind('.');
  if (dot == std::string::npos || path.find('/', dot) != std::string::npos) return "";
  std::string extension = path.substr(dot);
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

Table read_any(const std::string& path, const TableOptions& options, const Location& where) {
  if (store::split_dataset_path(path)) return read_h5(path, options, where);
  const std::string extension = extension_of(path);
  const bool text = extension == ".csv" || extension == ".tsv" || extension == ".txt" || extension == ".dat";
  if (!text && extension != ".npy")
    fail_at(ExitCode::bad_data, where, "{}: a table is .csv, .tsv, .txt, .dat, .npy or .h5 (as in file.h5:/path)",
            path);
  const std::string content = read_file(path);
  if (text) return read_text_table(content, path, options, where);
  return read_npy(std::as_bytes(std::span(content)), path, options, where);
}

void forget_unwanted(Table& table, const TableOptions& options) {
  const std::vector<bool> wanted = wanted_columns(table, options);
  for (std::size_t c = 0; c < table.columns(); ++c)
    if (!wanted[c])
      std::fill_n(table.values.begin() + static_cast<std::ptrdiff_t>(c * table.rows), table.rows,
                  std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

std::size_t Table::find(const std::string& name) const {
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::size_t Table::find_name_or_number(const std::string& wanted) const {
  const std::size_t by_name = find(wanted);
  if (by_name < columns()) return by_name;
  std::size_t number = 0;
  const char* const end = wanted.data() + wanted.size();
  const auto [stop, error] = std::from_chars(wanted.data(), end, number);
  return error == std::errc() && stop == end ? std::min(number, columns()) : columns();
}

Table read_table(const std::string& path, const TableOptions& options, const Location& where) {
  try {
    Table table = read_any(path, options, where);
    forget_unwanted(table, options);
    return table;
  } catch (const Error& error) {
    // What is wrong inside a file carries the place in it; a file that is not there is a matter of who names it.
    if (error.code() != ExitCode::missing_input || where.source.empty()) throw;
    fail_at(error.code(), where, "{}", error.what());
  } catch (const std::bad_alloc&) {
    fail(ExitCode::bad_data, "{}: too large for the memory of this machine", path);
  }
}

std::uint64_t fingerprint(const Table& table) {
  Fnv hash;
  hash.add(table.rows);
  hash.add(table.columns());
  for (const std::string& name : table.names) hash.add(name);
  // Every missing cell counts the same, whichever NaN a file held.
  constexpr double missing = std::numeric_limits<double>::quiet_NaN();
  for (const double value : table.values) hash.add(std::isnan(value) ? missing : value);
  return hash.value();
}

}  // namespace atl::data
