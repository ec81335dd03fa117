#include "som/streams.hpp"

#include <bit>

#include "som/kernel_functions.hpp"

namespace atl::som {
namespace {

// splitmix64's finalizer (Steele, Lea, Flood 2014): every bit of the input reaches every bit of the hash.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  std::uint64_t z = hash + value + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stream_of(const MapSetting& map) {
  std::uint64_t hash = mix(0, static_cast<std::uint64_t>(map.topology));
  hash = mix(hash, static_cast<std::uint64_t>(map.rows));
  hash = mix(hash, static_cast<std::uint64_t>(map.columns));
  hash = mix(hash, std::bit_cast<std::uint64_t>(map.sigma));
  hash = mix(hash, std::bit_cast<std::uint64_t>(map.eta));
  hash = mix(hash, static_cast<std::uint64_t>(map.epochs));
  return mix(hash, static_cast<std::uint64_t>(map.replicate));
}

std::vector<std::uint32_t> epoch_order(std::uint64_t seed, std::uint64_t stream, std::uint32_t epoch,
                                       std::uint32_t points) {
  std::vector<std::uint32_t> order(points);
  part_of_epoch_order(seed, stream, epoch, points, 0, order);
  return order;
}

void part_of_epoch_order(std::uint64_t seed, std::uint64_t stream, std::uint32_t epoch, std::uint32_t points,
                         std::uint32_t first, std::span<std::uint32_t> order) {
  const kernel::Shuffle shuffle = kernel::shuffle_of(seed, stream, DRAW_ORDER, epoch, points);
  for (std::uint32_t& point : order) point = kernel::shuffled(&shuffle, first++, points);
}

std::vector<std::uint32_t> sample_points(std::uint64_t seed, std::uint64_t stream, std::size_t count,
                                         std::uint32_t points) {
  const kernel::Shuffle shuffle = kernel::shuffle_of(seed, stream, DRAW_SAMPLE, 0, points);
  std::vector<std::uint32_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i)
    chosen[i] = kernel::shuffled(&shuffle, static_cast<std::uint32_t>(i % points), points);
  return chosen;
}

std::vector<double> uniform_numbers(std::uint64_t seed, std::uint64_t stream, std::size_t count) {
  const auto low = static_cast<std::uint32_t>(stream);
  const auto high = static_cast<std::uint32_t>(stream >> 32);
  const auto fine = [](std::uint32_t a, std::uint32_t b) {
    return static_cast<double>(((static_cast<std::uint64_t>(a) << 32) | b) >> 11) * 0x1p-53;
  };
  std::vector<double> numbers;
  numbers.reserve(count + 1);
  for (std::uint32_t block = 0; numbers.size() < count; ++block) {
    const kernel::uint4 words = kernel::philox({DRAW_UNIFORM << 24, block, low, high}, seed);
    numbers.push_back(fine(words.x, words.y));
    numbers.push_back(fine(words.z, words.w));
  }
  numbers.resize(count);
  return numbers;
}

}  // namespace atl::som
