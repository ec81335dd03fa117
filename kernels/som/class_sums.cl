// Sums over the points of each neuron, added in the order of the points on every device: on CPUs a work-item a map
// hands each point to its neuron (scatter), on GPUs a work-item a neuron looks for its points (scan).
// `counts` is (neurons, COLUMNS) with missing cells, else (neurons); `hits` is (neurons). Points may come in chunks, a
// launch each: all but the first one (`is_first`) add to what is there, so that the order of the sums stays.

#ifdef ATOLL_SINGLE
// Kahan: single precision would lose digits in the sum over a million points.
#define ADD(sum, lost, value)         \
  do {                                \
    const real y_ = (value) - (lost); \
    const real t_ = (sum) + y_;       \
    (lost) = (t_ - (sum)) - y_;       \
    (sum) = t_;                       \
  } while (0)
#else
#define ADD(sum, lost, value) (sum) += (value)
#endif

kernel void class_sums_scatter(global const MeasuredMap *maps, global const real *points, uint stride, uint n,
                               global const int *nearest, global real *sums, global real *lost, global int *hits,
                               global int *counts, int is_first) {
  const MeasuredMap map = maps[get_global_id(0)];
  global const int *mine = nearest + (ulong)get_global_id(0) * stride;
  global real *s = sums + map.weights;
  global int *h = hits + map.neurons_at;
  const uint cells = (uint)map.neurons * COLUMNS;
  if (is_first) {
    for (uint i = 0; i < cells; ++i) s[i] = 0;
    for (int k = 0; k < map.neurons; ++k) h[k] = 0;
#ifdef ATOLL_SINGLE
    for (uint i = 0; i < cells; ++i) lost[map.weights + i] = 0;
#endif
#ifdef MISSING
    for (uint i = 0; i < cells; ++i) counts[map.weights + i] = 0;
#endif
  }
  for (uint p = 0; p < n; ++p) {
    const int k = mine[p];
    if (k < 0) continue;
    ++h[k];
    for (uint c = 0; c < COLUMNS; ++c) {
      const real x = points[(ulong)c * stride + p];
      const ulong i = (ulong)k * COLUMNS + c;
#ifdef MISSING
      if (isnan(x)) continue;
      ++counts[map.weights + i];
#endif
      ADD(s[i], lost[map.weights + i], x);
    }
  }
}

/// Work-item (neuron, map, column).
kernel void class_sums_scan(global const MeasuredMap *maps, global const real *points, uint stride, uint n,
                            global const int *nearest, global real *sums, global real *lost, global int *hits,
                            global int *counts, int is_first) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int k = (int)get_global_id(0);
  if (k >= map.neurons) return;
  const uint c = get_global_id(2);
  global const int *mine = nearest + (ulong)get_global_id(1) * stride;
  global const real *column = points + (ulong)c * stride;
  const ulong i = map.weights + (ulong)k * COLUMNS + c;
  real sum = 0;
  real rest = 0;
  int count = 0;
  int cells = 0;
  if (!is_first) {
    sum = sums[i];
    if (c == 0) count = hits[map.neurons_at + k];
#ifdef ATOLL_SINGLE
    rest = lost[i];
#endif
#ifdef MISSING
    cells = counts[i];
#endif
  }
  for (uint p = 0; p < n; ++p) {
    if (mine[p] != k) continue;
    ++count;
    const real x = column[p];
#ifdef MISSING
    if (isnan(x)) continue;
    ++cells;
#endif
    ADD(sum, rest, x);
  }
  sums[i] = sum;
#ifdef ATOLL_SINGLE
  lost[i] = rest;
#endif
  if (c == 0) hits[map.neurons_at + k] = count;
#ifdef MISSING
  counts[i] = cells;
#endif
}
