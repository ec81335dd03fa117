// The header of a .npy file: a small Python dictionary behind a magic string.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace atl::data {

struct NpyHeader {
  char kind = 'f';       // f float, i signed, u unsigned, b boolean
  std::size_t size = 8;  // bytes an element
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t data_offset = 0;  // of the first element in the file
};

/// Reads versions 1 to 3. Error 65 with the byte offset; object, structured, text, complex and wide types are refused
/// by name. The shape is as claimed: compare it with the length of the file before believing it.
[[nodiscard]] NpyHeader read_npy_header(std::span<const std::byte> file, const std::string& source);

}  // namespace atl::data
