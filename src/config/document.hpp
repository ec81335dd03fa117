// A TOML text as a small tree of our own: every value knows its place, and tables keep the order of the file.
// document.cpp is the only file that knows the TOML library.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "config/effective.hpp"

namespace atl::config {

struct Value {
  enum class Kind { table, array, string, integer, real, boolean, time };  // time: any of TOML's dates and times

  Kind kind = Kind::table;
  std::string key;   // under which it stands in its table; empty for the items of an array
  Location where;    // of the key, or of an array's item; line 0: not in a file but an override
  Location content;  // of the first character inside the quotes; strings only
  std::string text;  // string; time: as written
  std::int64_t integer = 0;
  double real = 0;
  bool boolean = false;
  std::vector<Value> items;  // of an array, or of a table in the order of the file

  [[nodiscard]] const Value* find(std::string_view name) const;  // in a table; null where there is none
  [[nodiscard]] bool in_file() const { return where.line > 0; }
};

struct Document {
  std::string source;  // the file as the user named it
  std::string folder;  // against which relative paths in the file resolve; empty: the current one
  Value root;          // a table
};

/// Reads a TOML file. Errors: 66 missing or unreadable, 78 at file:line:column for the content.
[[nodiscard]] Document read_document(const std::string& path);

/// The same from a text; `source` stands for it in messages.
[[nodiscard]] Document parse_document(std::string_view text, const std::string& source);

/// Merges --set KEY=VALUE: VALUE is TOML, else a string; arrays and tables replace whole; the last one wins. A key that
/// was there keeps its place in the order, a new one comes last.
void apply(Document& document, const std::vector<Override>& overrides);

/// A number that the user wrote as 80_000, 8e4 or 80000.0: an integer where it is whole.
[[nodiscard]] std::optional<std::int64_t> whole_number(const Value& value);
[[nodiscard]] std::optional<double> number(const Value& value);

/// "the string "ring"", "3.5", "an array of 2": how a message names a value of the wrong kind.
[[nodiscard]] std::string describe(const Value& value);

/// The path that a string value means: as it is from an override, else against the document's folder; normalised. A
/// trailing ":/dataset" behind .h5 or .hdf5 is kept.
[[nodiscard]] std::string resolved_path(const Document& document, const Value& value);

/// The same path from the root of the file system.
[[nodiscard]] std::string absolute_path(const std::string& path);

}  // namespace atl::config
