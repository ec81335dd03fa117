// The points on the device: all of them for good, or, where they do not fit, a part at a time.
#pragma once
#include <cstddef>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

/// Sums over points are those of blocks of so many, one behind the other: POINTS_A_BLOCK of measures.cl. Also a
/// multiple of the width of all vectors that pass over the points.
inline constexpr std::size_t points_a_block = 256;

/// Of winners, a point and map: nearest, second nearest, path, rounded up.
inline constexpr std::size_t winner_bytes = 24;

/// Points [first, first + count), together on the device.
struct Chunk {
  std::size_t first = 0, count = 0;
  bool is_first = true, is_last = true;
};

/// All points in their order, as many at a time as the device takes: one chunk where all stay on it. A chunk but the
/// last has a multiple of points_a_block.
[[nodiscard]] std::vector<Chunk> chunks_of(const Engine& engine);

/// Values a column, and winners a map, of the largest chunk.
[[nodiscard]] std::size_t column_stride(const Engine& engine);

/// A chunk column-major, column_stride() values a column; good until the next chunk is asked for.
[[nodiscard]] const cl::Buffer& points_by_column(Engine& engine, const Chunk& chunk, bool single);

/// All points row-major in the working precision, for online training where they fit.
[[nodiscard]] const cl::Buffer& points_by_row(Engine& engine);

/// Bytes that points brought to the device in parts may take at a time.
[[nodiscard]] std::size_t bytes_of_a_part(const device::DeviceInfo& info, const TrainerInputs& inputs);

}  // namespace atl::som
