// The map distances of a shape, as tables that the kernels index without knowing the topology.
#pragma once
#include <cstdint>
#include <vector>

#include "config/som_settings.hpp"

namespace atl::som {

/// Squared map distance of neurons i and j; neighbors are at exactly 1.
[[nodiscard]] double map_distance2(config::MapTopology topology, int rows, int columns, int i, int j);

/// Neighbors of neuron i, each once, ascending.
[[nodiscard]] std::vector<int> map_neighbors(config::MapTopology topology, int rows, int columns, int i);

/// Squared distances of all pairs: those of winner w start at origin + stride * w and follow the order of the neurons.
/// On a line or ring that is a window sliding over one list, on a grid a row of the full matrix.
struct DistanceRows {
  std::vector<double> values;
  int origin = 0, stride = 0;
};
[[nodiscard]] DistanceRows distance_rows(config::MapTopology topology, int rows, int columns, int lanes);

/// The same without repeating what only the offset on the grid decides: the squared distance of neuron j from winner w
/// is values[code[j] + origin[w]]. Neurons of one row of the grid have consecutive codes.
struct DistanceWindow {
  std::vector<double> values;  // with `lanes` values to spare at the end
  std::vector<std::int32_t> codes, origins;
};
[[nodiscard]] DistanceWindow distance_window(config::MapTopology topology, int rows, int columns, int lanes);

}  // namespace atl::som
