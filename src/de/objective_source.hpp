// The objective as OpenCL C, generated from a Problem. What the engine's kernels call:
//   real evaluate(const real *x, global const real *data)      f at x (D entries, private memory)
//   real evaluate_row(const real *x, global const real *data, int row)   one row's part; only when ATOLL_ROWS > 0
// with ATOLL_ROWS, ATOLL_DIMENSION, ATOLL_TABLE_COLUMNS defined. Row sums always have one shape: 64 stripes (stripe s
// takes rows s, s + 64, ...) added in order, then a halving tree 32, 16, ..., 1; a missing stripe adds nothing.
#pragma once
#include <string>
#include <vector>

#include "de/problem.hpp"
#include "device/opencl.hpp"

namespace atl::de {

inline constexpr std::size_t row_stripes = 64;

struct ObjectiveSource {
  std::vector<device::SourcePiece> pieces;  // to be put behind kernels/common
  std::vector<double> data;   // the buffer `data`: column-major, of a model only the columns that it uses; may be empty
  std::size_t rows = 0;       // rows that evaluate_row serves; 0: not a sum over rows
  bool literal_rows = false;  // evaluate() has the table in its text (up to 64 rows); evaluate_row() reads `data`
};

/// The preamble gives an objective file ATOLL_DIMENSION, ATOLL_COLUMNS, PARAMETER_a1.., COLUMN_y.., CONSTANT_k; a
/// missing function is Error 65 naming the signature; in single precision the word `double` in the user's file is
/// refused.
[[nodiscard]] ObjectiveSource objective_source(const Problem& problem, bool single_precision);

/// `void decode(const real *u, real *x, global const real *x_limits)`: u (free entries) to x (D entries);
/// x_limits is min[D] then max[D] in the user's units. Runs of like entries become loops.
[[nodiscard]] std::string decode_source(const Problem& problem);

}  // namespace atl::de
