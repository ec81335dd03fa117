// Writes .npy files as NumPy does, and ones that it never would.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace atl::test {

/// The bytes of numbers, turned round for big endian (tests run on little-endian machines).
template <typename Range>
std::string npy_elements(const Range& values, bool big_endian = false) {
  std::string bytes;
  for (const auto value : values) {
    std::string element(sizeof value, '\0');
    std::memcpy(element.data(), &value, sizeof value);
    if (big_endian) std::reverse(element.begin(), element.end());
    bytes += element;
  }
  return bytes;
}

inline std::string npy_file(const std::string& type, bool fortran_order, const std::string& shape,
                            const std::string& data, int version = 1) {
  constexpr std::size_t alignment = 64;
  std::string dictionary = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", type,
                                       fortran_order ? "True" : "False", shape);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t before = 8 + length_bytes;
  while ((before + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  std::string header("\x93NUMPY", 6);
  header += static_cast<char>(version);
  header += '\0';
  for (std::size_t i = 0; i < length_bytes; ++i) header += static_cast<char>((dictionary.size() >> (8 * i)) & 0xff);
  return header + dictionary + data;
}

}  // namespace atl::test
