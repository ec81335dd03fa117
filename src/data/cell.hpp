// One cell of a text table: a number, a missing token, or something that is refused by its name.
#pragma once
#include <string>
#include <string_view>

namespace atl::data {

enum class CellKind {
  number,
  missing,        // blank, NA or nan, in any case of letters
  infinite,       // inf, infinity
  out_of_range,   // beyond the largest double, e.g. 1e999
  decimal_comma,  // digits around a comma: 1,5 or 1.234,5
  text
};

struct Cell {
  CellKind kind = CellKind::missing;
  double value = 0;  // of a number
};

/// Reads a cell the same in every locale: an optional sign, digits with a decimal point, an optional exponent. Rounds
/// correctly; too small a number is 0 of its sign. Blanks around it are ignored.
[[nodiscard]] Cell read_cell(std::string_view text);

/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// What is wrong with a cell that is not a number, for a message: `"abc" is not a number`.
[[nodiscard]] std::string complaint(const Cell& cell, std::string_view text);

}  // namespace atl::data
