// What an island keeps from generation to generation, in exact bits, apart from any device: the same islands may go
// on with other ranks and another padding of the buffers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace atl::de {

/// Consecutive islands in their order. Reals are bytes in the working precision.
struct IslandStates {
  std::int64_t members = 0;                      // of every island, now
  std::vector<std::byte> populations, energies;  // [island][free][members], [island][members]
  std::vector<std::byte> archives, memories;     // [island][free][archive] or empty, [island][2][memory]
  std::vector<std::int64_t> counters;            // [island][6], COUNTERS of evolve.cl
};

/// The first `count` values of every row of `stride`.
[[nodiscard]] std::vector<std::byte> without_padding(const std::vector<std::byte>& rows, std::size_t stride,
                                                     std::size_t count, std::size_t value_bytes);

/// The inverse: rows of `count` values become rows of `stride`, their last value repeated.
[[nodiscard]] std::vector<std::byte> with_padding(const std::vector<std::byte>& rows, std::size_t stride,
                                                  std::size_t count, std::size_t value_bytes);

/// `count` islands from the `first` on, of the `islands` that `all` has.
[[nodiscard]] IslandStates part_of(const IslandStates& all, std::int64_t islands, std::int64_t first,
                                   std::int64_t count);

/// Puts `next` behind `all`.
void append(IslandStates& all, const IslandStates& next);

[[nodiscard]] std::vector<std::byte> to_bytes(const IslandStates& states);
[[nodiscard]] IslandStates island_states(const std::vector<std::byte>& bytes);

}  // namespace atl::de
