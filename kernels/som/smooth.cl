// An epoch of batch training after the sums: every neuron moves to the mean of all points, weighted by how near on the
// map their winners are; with eta < 1 a part of the way. A neuron that nothing weighs on keeps its place.

#define COLUMNS_AT_ONCE 8

/// Work-item (neuron, map).
kernel void smooth(global const MeasuredMap *maps, int kind, global const real *sums, global const int *hits,
                   global const int *counts, global real *weights) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int k = (int)get_global_id(0);
  if (k >= map.neurons) return;
  const real ends = influence_ends(kind, map.sigma);
  const int row = k / map.columns;
  const int column = k - row * map.columns;
  for (uint first = 0; first < COLUMNS; first += COLUMNS_AT_ONCE) {
    const uint columns = min((uint)COLUMNS_AT_ONCE, COLUMNS - first);
    real above[COLUMNS_AT_ONCE];
    real below[COLUMNS_AT_ONCE];
    for (uint c = 0; c < COLUMNS_AT_ONCE; ++c) above[c] = below[c] = 0;
    int b = 0;
    for (int r = 0; r < map.rows; ++r)
      for (int q = 0; q < map.columns; ++q, ++b) {
        const int hit = hits[map.neurons_at + b];
        if (hit == 0) continue;
        const real d2 = offset_distance2(map.topology, map.rows, map.columns, r, row - r, column - q);
        if (d2 > ends) continue;
        const real h = neighborhood(kind, d2, map.sigma);
        const ulong at = map.weights + (ulong)b * COLUMNS + first;
        for (uint c = 0; c < columns; ++c) {
          above[c] = fma(h, sums[at + c], above[c]);
#ifdef MISSING
          below[c] = fma(h, (real)counts[at + c], below[c]);
#else
          below[c] = fma(h, (real)hit, below[c]);
#endif
        }
      }
    for (uint c = 0; c < columns; ++c) {
      if (!(below[c] > (real)0)) continue;
      global real *w = weights + map.weights + (ulong)k * COLUMNS + first + c;
      const real target = above[c] / below[c];
      *w = map.eta == (real)1 ? target : fma(map.eta, target - *w, *w);
    }
  }
}
