// Shortest paths over map neighbors in data space, for Kaski and Lagus' error. On a line or ring there are one or two
// ways; on a grid a work-item relaxes the edges from one winner until nothing gets shorter.

#define scalar_distance(name, A, B)                         \
  ATOLL_FUNCTION real name {                                \
    Partial d;                                              \
    VECTOR_START(d);                                        \
    for (uint c = 0; c < COLUMNS; ++c) VECTOR_ADD(d, A, B); \
    return VECTOR_DISTANCE(VECTOR_KEY(d));                  \
  }
scalar_distance(between_neurons(global const real *a, global const real *b), a[c], b[c])

    /// Lengths of the edges from each neuron to its neighbors, (neurons, MOST_NEIGHBORS). Work-item (neuron, map).
    kernel void edges(global const MeasuredMap *maps, global const real *weights, global real *lengths) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int i = (int)get_global_id(0);
  if (i >= map.neurons) return;
  for (int k = 0; k < MOST_NEIGHBORS; ++k) {
    const int other = map_neighbor(map.topology, map.rows, map.columns, i, k);
    lengths[(map.neurons_at + i) * MOST_NEIGHBORS + k] =
        other < 0 ? (real)INFINITY
                  : between_neurons(weights + map.weights + (ulong)i * COLUMNS,
                                    weights + map.weights + (ulong)other * COLUMNS);
  }
}

/// Lines and rings: the way from neuron 0 to each neuron, and around. (neurons + 1) values. Work-item (map).
kernel void positions(global const MeasuredMap *maps, global const real *lengths, global real *at) {
  const MeasuredMap map = maps[get_global_id(0)];
  if (map.topology > TOPOLOGY_RING) return;
  global real *a = at + map.neurons_at + get_global_id(0);
  real way = 0;
  for (int i = 0; i < map.neurons; ++i) {
    a[i] = way;
    way += lengths[(map.neurons_at + i) * MOST_NEIGHBORS];
  }
  a[map.neurons] = way;
}

ATOLL_FUNCTION real way_along(const MeasuredMap *map, global const real *a, int i, int j) {
  const real straight = fabs(a[j] - a[i]);
  return map->topology == TOPOLOGY_RING ? fmin(straight, a[map->neurons] - straight) : straight;
}

/// Whether the edge between neighbors is the shortest path: true in a metric, which 1 - cos is not.
ATOLL_FUNCTION int direct(const MeasuredMap *map, int i, int j) {
  return METRIC != COSINE && map_distance2(map->topology, map->rows, map->columns, i, j) == (real)1;
}

/// Grids: which winners need paths. Work-item (point, map).
kernel void mark_sources(global const MeasuredMap *maps, uint stride, uint n, global const int *nearest,
                         global const int *second, global int *needed) {
  const MeasuredMap map = maps[get_global_id(1)];
  const uint p = get_global_id(0);
  if (map.topology <= TOPOLOGY_RING || p >= n) return;
  const int b = nearest[(ulong)get_global_id(1) * stride + p];
  if (b < 0 || direct(&map, b, second[(ulong)get_global_id(1) * stride + p])) return;
  atomic_xchg(needed + map.neurons_at + b, 1);
}

/// Grids: shortest paths from neuron first_source + id to all neurons. Work-item (source, map).
kernel void grid_paths(global const MeasuredMap *maps, global const real *lengths, global const int *needed,
                       int first_source, int sources, global real *paths) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int source = first_source + (int)get_global_id(0);
  if (map.topology <= TOPOLOGY_RING || (int)get_global_id(0) >= sources || source >= map.neurons) return;
  if (!needed[map.neurons_at + source]) return;
  global real *d = paths + map.paths_at + (ulong)get_global_id(0) * map.neurons;
  for (int i = 0; i < map.neurons; ++i) d[i] = INFINITY;
  d[source] = 0;
  int changed = 1;
  while (changed) {
    changed = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (int step = 0; step < map.neurons; ++step) {
        const int i = pass == 0 ? step : map.neurons - 1 - step;
        if (d[i] == (real)INFINITY) continue;
        for (int k = 0; k < MOST_NEIGHBORS; ++k) {
          const int other = map_neighbor(map.topology, map.rows, map.columns, i, k);
          if (other < 0) continue;
          const real way = d[i] + lengths[(map.neurons_at + i) * MOST_NEIGHBORS + k];
          if (way < d[other]) {
            d[other] = way;
            changed = 1;
          }
        }
      }
  }
}

/// Grids: the path of each point whose winner is among `sources` from first_source on. Work-item (point, map).
kernel void pick_paths(global const MeasuredMap *maps, uint stride, uint n, global const int *nearest,
                       global const int *second, int first_source, int sources, global const real *paths,
                       global real *point_paths) {
  const MeasuredMap map = maps[get_global_id(1)];
  const uint p = get_global_id(0);
  if (map.topology <= TOPOLOGY_RING || p >= n) return;
  const ulong at = (ulong)get_global_id(1) * stride + p;
  const int b = nearest[at];
  if (b < first_source || b >= first_source + sources || direct(&map, b, second[at])) return;
  point_paths[at] = paths[map.paths_at + (ulong)(b - first_source) * map.neurons + second[at]];
}
