#include "som/map_shape.hpp"

#include <algorithm>

#include "som/kernel_functions.hpp"

namespace atl::som {

double map_distance2(config::MapTopology topology, int rows, int columns, int i, int j) {
  return kernel::map_distance2(static_cast<int>(topology), rows, columns, i, j);
}

std::vector<int> map_neighbors(config::MapTopology topology, int rows, int columns, int i) {
  std::vector<int> found;
  for (int k = 0; k < MOST_NEIGHBORS; ++k) {
    const int other = kernel::map_neighbor(static_cast<int>(topology), rows, columns, i, k);
    if (other >= 0 && other != i) found.push_back(other);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

DistanceRows distance_rows(config::MapTopology topology, int rows, int columns, int lanes) {
  const int neurons = rows * columns;
  const int padded = (neurons + lanes - 1) / lanes * lanes;
  DistanceRows table;
  if (!config::is_grid(topology)) {
    table.origin = neurons;
    table.stride = -1;
    table.values.assign(static_cast<std::size_t>(neurons) + padded, 0);
    for (int t = 1; t < 2 * neurons; ++t)
      table.values[t] = map_distance2(topology, 1, neurons, 0, t < neurons ? neurons - t : t - neurons);
    return table;
  }
  table.stride = padded;
  table.values.assign(static_cast<std::size_t>(neurons) * padded, 0);
  for (int w = 0; w < neurons; ++w)
    for (int j = 0; j < neurons; ++j)
      table.values[static_cast<std::size_t>(w) * padded + j] = map_distance2(topology, rows, columns, w, j);
  return table;
}

DistanceWindow distance_window(config::MapTopology topology, int rows, int columns, int lanes) {
  const int neurons = rows * columns;
  const bool hexagonal = kernel::is_hexagonal(static_cast<int>(topology)) != 0;
  const int width = 2 * columns;
  const int height = rows == 1 ? 1 : 2 * rows;  // row offsets -rows .. rows - 1
  const int above = rows == 1 ? 0 : rows;
  const int planes = hexagonal ? 2 : 1;  // winners in even rows, in odd rows
  DistanceWindow window;
  window.values.assign(static_cast<std::size_t>(planes) * height * width + lanes, 0);
  for (int plane = 0; plane < planes; ++plane)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        window.values[(static_cast<std::size_t>(plane) * height + y) * width + x] =
            kernel::offset_distance2(static_cast<int>(topology), rows, columns, plane, y - above, x - columns);
  window.codes.resize(neurons);
  window.origins.resize(neurons);
  for (int j = 0; j < neurons; ++j) {
    const int row = j / columns;
    const int column = j % columns;
    window.codes[j] = row * width + column;
    window.origins[j] = ((hexagonal ? row & 1 : 0) * height + above - row) * width + columns - column;
  }
  return window;
}

}  // namespace atl::som
