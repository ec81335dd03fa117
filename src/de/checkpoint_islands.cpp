#include "de/checkpoint_islands.hpp"

#include <algorithm>
#include <cstring>

namespace atl::de {
namespace {

template <typename T>
std::vector<T> slice(const std::vector<T>& values, std::int64_t islands, std::int64_t first, std::int64_t count) {
  const auto each = static_cast<std::ptrdiff_t>(values.size()) / islands;
  return {values.begin() + first * each, values.begin() + (first + count) * each};
}

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& next) {
  all.insert(all.end(), next.begin(), next.end());
}

template <typename T>
void put(std::vector<std::byte>& bytes, const std::vector<T>& values) {
  const std::uint64_t count = values.size();
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof count + count * sizeof(T));
  std::memcpy(bytes.data() + at, &count, sizeof count);
  if (count > 0) std::memcpy(bytes.data() + at + sizeof count, values.data(), count * sizeof(T));
}

template <typename T>
void take(const std::vector<std::byte>& bytes, std::size_t& at, std::vector<T>& values) {
  std::uint64_t count = 0;
  std::memcpy(&count, bytes.data() + at, sizeof count);
  at += sizeof count;
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), bytes.data() + at, count * sizeof(T));
  at += count * sizeof(T);
}

}  // namespace

std::vector<std::byte> without_padding(const std::vector<std::byte>& rows, std::size_t stride, std::size_t count,
                                       std::size_t value_bytes) {
  const std::size_t number = rows.size() / (stride * value_bytes);
  std::vector<std::byte> packed(number * count * value_bytes);
  for (std::size_t row = 0; row < number; ++row)
    std::copy_n(rows.data() + row * stride * value_bytes, count * value_bytes,
                packed.data() + row * count * value_bytes);
  return packed;
}

std::vector<std::byte> with_padding(const std::vector<std::byte>& rows, std::size_t stride, std::size_t count,
                                    std::size_t value_bytes) {
  const std::size_t number = rows.size() / (count * value_bytes);
  std::vector<std::byte> padded(number * stride * value_bytes);
  for (std::size_t row = 0; row < number; ++row)
    for (std::size_t i = 0; i < stride; ++i)
      std::copy_n(rows.data() + (row * count + std::min(i, count - 1)) * value_bytes, value_bytes,
                  padded.data() + (row * stride + i) * value_bytes);
  return padded;
}

IslandStates part_of(const IslandStates& all, std::int64_t islands, std::int64_t first, std::int64_t count) {
  return {all.members,
          slice(all.populations, islands, first, count),
          slice(all.energies, islands, first, count),
          slice(all.archives, islands, first, count),
          slice(all.memories, islands, first, count),
          slice(all.counters, islands, first, count)};
}

void append(IslandStates& all, const IslandStates& next) {
  if (next.counters.empty()) return;  // a rank without islands
  all.members = next.members;
  append(all.populations, next.populations);
  append(all.energies, next.energies);
  append(all.archives, next.archives);
  append(all.memories, next.memories);
  append(all.counters, next.counters);
}

std::vector<std::byte> to_bytes(const IslandStates& states) {
  std::vector<std::byte> bytes;
  put(bytes, std::vector<std::int64_t>{states.members});
  for (const auto* part : {&states.populations, &states.energies, &states.archives, &states.memories})
    put(bytes, *part);
  put(bytes, states.counters);
  return bytes;
}

IslandStates island_states(const std::vector<std::byte>& bytes) {
  IslandStates states;
  std::vector<std::int64_t> members;
  std::size_t at = 0;
  take(bytes, at, members);
  states.members = members.front();
  for (auto* part : {&states.populations, &states.energies, &states.archives, &states.memories}) take(bytes, at, *part);
  take(bytes, at, states.counters);
  return states;
}

}  // namespace atl::de
