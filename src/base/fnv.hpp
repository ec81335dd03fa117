// FNV-1a, 64 bits (Fowler, Noll, Vo): says whether two inputs are the same, not whether somebody forged one.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace atl {

class Fnv {
 public:
  void add(std::uint64_t word) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<unsigned char>(word >> shift));
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) {  // with its length, so that "a", "bc" is not "ab", "c"
    add(std::uint64_t{text.size()});
    add_bytes(text.data(), text.size());
  }
  void add_bytes(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) add_byte(static_cast<const unsigned char*>(bytes)[i]);
  }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  void add_byte(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001B3ULL; }
  std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

}  // namespace atl
