// Distances and neighbors on a map. Also compiled as C++ by src/som/map_shape.hpp.
// The numbers of the topologies are the order of config::MapTopology.
#define TOPOLOGY_LINE 0
#define TOPOLOGY_RING 1
#define TOPOLOGY_RECTANGULAR 2
#define TOPOLOGY_HEXAGONAL 3
#define TOPOLOGY_RECTANGULAR_TOROID 4
#define TOPOLOGY_HEXAGONAL_TOROID 5

ATOLL_FUNCTION int is_hexagonal(int topology) {
  return topology == TOPOLOGY_HEXAGONAL || topology == TOPOLOGY_HEXAGONAL_TOROID;
}
ATOLL_FUNCTION int wraps_columns(int topology) {
  return topology == TOPOLOGY_RING || topology >= TOPOLOGY_RECTANGULAR_TOROID;
}
ATOLL_FUNCTION int wraps_rows(int topology) { return topology >= TOPOLOGY_RECTANGULAR_TOROID; }

/// Squared distance between a neuron in row `row` and one `down` rows below and `right` columns beyond it, exact.
/// Odd rows of hexagonal maps stand half a column to the right; rows are sqrt(3)/2 apart.
ATOLL_FUNCTION real offset_distance2(int topology, int rows, int columns, int row, int down, int right) {
  real dx = (real)right;
  if (is_hexagonal(topology) && (down & 1)) dx += row & 1 ? (real)-0.5 : (real)0.5;
  if (dx < (real)0) dx = -dx;
  int dr = (int)abs(down);
  if (wraps_columns(topology) && (real)columns - dx < dx) dx = (real)columns - dx;
  if (wraps_rows(topology) && rows - dr < dr) dr = rows - dr;
  const real dy2 = (real)dr * (real)dr;
  return dx * dx + (is_hexagonal(topology) ? (real)0.75 * dy2 : dy2);
}

/// Squared distance between neurons i and j. Neighbors (2, 4 or 6 of them) are at exactly 1; on rectangular maps the
/// diagonal ones at exactly 2.
ATOLL_FUNCTION real map_distance2(int topology, int rows, int columns, int i, int j) {
  const int row = i / columns;
  const int other = j / columns;
  return offset_distance2(topology, rows, columns, row, other - row, (j - other * columns) - (i - row * columns));
}

#define MOST_NEIGHBORS 6

/// Neighbor number k < MOST_NEIGHBORS of neuron i, or -1. On a narrow toroid some are i itself or named twice.
ATOLL_FUNCTION int map_neighbor(int topology, int rows, int columns, int i, int k) {
  int row = i / columns;
  int column = i - row * columns;
  if (k < 2) {
    column += k == 0 ? 1 : -1;
  } else {
    if (topology <= TOPOLOGY_RING) return -1;
    if (is_hexagonal(topology)) {
      column += (row & 1) - (k < 4 ? 1 : 0);
      row += k & 1 ? -1 : 1;
    } else {
      if (k > 3) return -1;
      row += k == 2 ? 1 : -1;
    }
  }
  if (wraps_columns(topology)) column = (column + columns) % columns;
  if (wraps_rows(topology)) row = (row + rows) % rows;
  return row < 0 || row >= rows || column < 0 || column >= columns ? -1 : row * columns + column;
}
