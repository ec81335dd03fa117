#include "data/npy.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "data/column_names.hpp"
#include "data/finite.hpp"
#include "data/npy_header.hpp"

namespace atl::data {
namespace {

// IEEE 754 half precision.
double half_to_double(std::uint16_t bits) {
  constexpr int mantissa_bits = 10, exponent_bias = 15, highest_exponent = 31;
  const int exponent = (bits >> mantissa_bits) & highest_exponent;
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  double value = 0;
  if (exponent == highest_exponent) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - exponent_bias - mantissa_bits);
  } else {
    value = std::ldexp(mantissa + (1 << mantissa_bits), exponent - exponent_bias - mantissa_bits);
  }
  return (bits >> 15) != 0 ? -value : value;
}

// The bytes of one element as an unsigned number, whatever their order in the file.
std::uint64_t load(const std::byte* element, std::size_t size, bool big_endian) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = big_endian ? i : size - 1 - i;
    bits = (bits << 8) | std::to_integer<std::uint64_t>(element[from]);
  }
  return bits;
}

double to_double(std::uint64_t bits, const NpyHeader& header) {
  const std::size_t size = header.size;
  if (header.kind == 'f') {
    if (size == 2) return half_to_double(static_cast<std::uint16_t>(bits));
    return size == 4 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))} : std::bit_cast<double>(bits);
  }
  if (header.kind == 'b') return bits != 0 ? 1 : 0;
  if (header.kind == 'u') return static_cast<double>(bits);
  const int unused = static_cast<int>(8 * (sizeof bits - size));
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);  // carries the sign down
}

// The claimed shape as (rows, columns), compared with what the file holds, without overflow.
std::array<std::size_t, 2> checked_shape(const NpyHeader& header, std::size_t available, const std::string& source) {
  if (header.shape.empty() || header.shape.size() > 2)
    fail(ExitCode::bad_data, "{}: byte 0: an array of shape ({}); a table has 1 or 2 dimensions", source,
         fmt::join(header.shape, ", "));
  const std::uint64_t rows = header.shape[0], columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (rows == 0 || columns == 0)
    fail(ExitCode::bad_data, "{}: byte 0: an array of shape ({}) has no cells", source, fmt::join(header.shape, ", "));
  const std::uint64_t elements = available / header.size;
  if (rows > elements || columns != elements / rows || rows * columns * header.size != available)
    fail(ExitCode::bad_data, "{}: byte {}: {} bytes of data do not make a shape of ({}) with {} bytes an element",
         source, header.data_offset, available, fmt::join(header.shape, ", "), header.size);
  return {rows, columns};
}

}  // namespace

Table read_npy(std::span<const std::byte> file, const std::string& source, const TableOptions& options,
               const Location& where) {
  const NpyHeader header = read_npy_header(file, source);
  const std::span<const std::byte> data = file.subspan(header.data_offset);
  const auto [rows, columns] = checked_shape(header, data.size(), source);
  Table table;
  table.source = source;
  table.rows = rows;
  name_columns(table, columns, std::nullopt, options, where);
  table.values.resize(rows * columns);
  // In Fortran order the file already stands column by column, as we do.
  const std::size_t row_step = header.fortran_order ? 1 : columns;
  const std::size_t column_step = header.fortran_order ? rows : 1;
  const auto offset = [&](std::size_t row, std::size_t column) {
    return (row * row_step + column * column_step) * header.size;
  };
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint64_t bits = load(data.data() + offset(row, column), header.size, header.big_endian);
      table.values[column * rows + row] = to_double(bits, header);
    }
  }
  check_finite(table, options, [&](std::size_t row, std::size_t column) {
    return fmt::format("{}: byte {}", source, header.data_offset + offset(row, column));
  });
  return table;
}

}  // namespace atl::data
