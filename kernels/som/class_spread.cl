// Around the mean of each neuron's points: the sum of squared Euclidean distances and the mean distance
// (Davies-Bouldin's spread). Turns the sums of class_sums into means. Scatter, scan and chunks as there.

/// Squared distance of a point to the mean of its neuron over the present cells.
ATOLL_FUNCTION real from_mean(global const real *points, uint stride, uint p, global const real *mean) {
  real d = 0;
  for (uint c = 0; c < COLUMNS; ++c) {
    const real x = points[(ulong)c * stride + p];
#ifdef MISSING
    if (isnan(x)) continue;
#endif
    d = fma(x - mean[c], x - mean[c], d);
  }
  return d;
}

ATOLL_FUNCTION void to_mean(global real *sums, int hits, global const int *counts) {
  for (uint c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
    hits = counts[c];
#endif
    sums[c] = hits > 0 ? sums[c] / (real)hits : (real)0;
  }
}

kernel void class_spread_scatter(global const MeasuredMap *maps, global const real *points, uint stride, uint n,
                                 global const int *nearest, global real *means, global const int *hits,
                                 global const int *counts, global real *squares, global real *spread, int is_first,
                                 int is_last) {
  const MeasuredMap map = maps[get_global_id(0)];
  global const int *mine = nearest + (ulong)get_global_id(0) * stride;
  for (int k = 0; is_first && k < map.neurons; ++k) {
    const ulong at = map.weights + (ulong)k * COLUMNS;
    to_mean(means + at, hits[map.neurons_at + k], counts + at);
    squares[map.neurons_at + k] = spread[map.neurons_at + k] = 0;
  }
  for (uint p = 0; p < n; ++p) {
    const int k = mine[p];
    if (k < 0) continue;
    const real d = from_mean(points, stride, p, means + map.weights + (ulong)k * COLUMNS);
    squares[map.neurons_at + k] += d;
    spread[map.neurons_at + k] += sqrt(d);
  }
  for (int k = 0; is_last && k < map.neurons; ++k)
    if (hits[map.neurons_at + k] > 0) spread[map.neurons_at + k] /= (real)hits[map.neurons_at + k];
}

/// Work-item (neuron, map).
kernel void class_spread_scan(global const MeasuredMap *maps, global const real *points, uint stride, uint n,
                              global const int *nearest, global real *means, global const int *hits,
                              global const int *counts, global real *squares, global real *spread, int is_first,
                              int is_last) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int k = (int)get_global_id(0);
  if (k >= map.neurons) return;
  global const int *mine = nearest + (ulong)get_global_id(1) * stride;
  const ulong at = map.weights + (ulong)k * COLUMNS;
  const int count = hits[map.neurons_at + k];
  real sum = 0;
  real roots = 0;
  if (is_first) {
    to_mean(means + at, count, counts + at);
  } else {
    sum = squares[map.neurons_at + k];
    roots = spread[map.neurons_at + k];
  }
  for (uint p = 0; p < n; ++p) {
    if (mine[p] != k) continue;
    const real d = from_mean(points, stride, p, means + at);
    sum += d;
    roots += sqrt(d);
  }
  squares[map.neurons_at + k] = sum;
  spread[map.neurons_at + k] = is_last && count > 0 ? roots / (real)count : roots;
}
