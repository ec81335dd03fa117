// A fast 64-bit checksum of bytes: finds torn and flipped data, promises nothing against malice.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace atl::store {

/// Continues `hash` over `count` bytes, eight at a time (rotate, multiply: the mixing step of splitmix64's finaliser).
/// The same bytes cut into the same calls give the same value; other cuts may not.
[[nodiscard]] inline std::uint64_t checksum(const void* bytes, std::size_t count, std::uint64_t hash) {
  constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ULL;
  const auto* at = static_cast<const unsigned char*>(bytes);
  hash ^= count * multiplier;
  while (count > 0) {
    std::uint64_t word = 0;
    const std::size_t step = count < sizeof word ? count : sizeof word;
    std::memcpy(&word, at, step);
    hash = std::rotl((hash ^ word) * multiplier, 29);
    at += step;
    count -= step;
  }
  hash ^= hash >> 32;
  return hash * 0xBF58476D1CE4E5B9ULL;
}

}  // namespace atl::store
