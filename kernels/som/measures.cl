// The measures of som/map.hpp from winners and class sums. Sums run over blocks of POINTS_A_BLOCK points, then over the
// blocks, always in order.

#define POINTS_A_BLOCK 256
#define POINT_SUMS 8    // quantization, squares, topographic, topographic_8, kaski, silhouette, points, free
#define NEURON_TERMS 3  // distortion, Davies-Bouldin, between

ATOLL_FUNCTION real to_neuron(global const real *points, uint stride, uint p, global const real *w) {
  Partial d;
  VECTOR_START(d);
  for (uint c = 0; c < COLUMNS; ++c) {
    const real x = points[(ulong)c * stride + p];
#ifdef MISSING
    if (isnan(x)) continue;
#endif
    VECTOR_ADD(d, x, w[c]);
  }
  return VECTOR_DISTANCE(VECTOR_KEY(d));
}

/// The nearest neuron other than `own` that has points, -1 if there is none.
ATOLL_FUNCTION int nearest_used(const MeasuredMap *map, global const real *points, uint stride, uint p,
                                global const real *weights, global const int *hits, int own) {
  int best = -1;
  real smallest = INFINITY;
  for (int k = 0; k < map->neurons; ++k) {
    if (k == own || hits[k] == 0) continue;
    const real d = to_neuron(points, stride, p, weights + (ulong)k * COLUMNS);
    if (best >= 0 && !(d < smallest)) continue;
    best = k;
    smallest = d;
  }
  return best;
}

/// Blocks of one chunk of the points, first_block the first of all_blocks. Work-item (block, map).
kernel void point_sums(global const MeasuredMap *maps, global const real *points, uint stride, uint n,
                       global const real *weights, global const int *nearest, global const int *second,
                       global const int *hits, global const real *at, global const real *point_paths, uint blocks,
                       uint first_block, uint all_blocks, global real *sums) {
  if (get_global_id(0) >= blocks) return;
  const MeasuredMap map = maps[get_global_id(1)];
  global const real *w = weights + map.weights;
  global const int *h = hits + map.neurons_at;
  real s[POINT_SUMS];
  for (int i = 0; i < POINT_SUMS; ++i) s[i] = 0;
  const uint end = min(n, (uint)(get_global_id(0) + 1) * POINTS_A_BLOCK);
  for (uint p = get_global_id(0) * POINTS_A_BLOCK; p < end; ++p) {
    const ulong i = (ulong)get_global_id(1) * stride + p;
    const int b = nearest[i];
    if (b < 0) continue;
    global const real *own = w + (ulong)b * COLUMNS;
    const real d = to_neuron(points, stride, p, own);
    s[0] += d;
    s[1] += from_mean(points, stride, p, own);
    s[6] += (real)1;
    if (map.neurons == 1) {
      s[4] += d;
      continue;
    }
    const int other = second[i];
    const real apart = map_distance2(map.topology, map.rows, map.columns, b, other);
    const int diagonals = map.topology == TOPOLOGY_RECTANGULAR || map.topology == TOPOLOGY_RECTANGULAR_TOROID;
    s[2] += apart != (real)1 ? (real)1 : (real)0;
    s[3] += apart != (real)1 && !(diagonals && apart == (real)2) ? (real)1 : (real)0;
    real way;
    if (map.topology <= TOPOLOGY_RING)
      way = way_along(&map, at + map.neurons_at + get_global_id(1), b, other);
    else
      way = direct(&map, b, other) ? between_neurons(own, w + (ulong)other * COLUMNS) : point_paths[i];
    s[4] += d + way;
    const int used = h[other] > 0 ? other : nearest_used(&map, points, stride, p, w, h, b);
    if (used < 0) continue;
    const real next = to_neuron(points, stride, p, w + (ulong)used * COLUMNS);
    s[5] += next > (real)0 || d > (real)0 ? (next - d) / fmax(next, d) : (real)0;
  }
  for (int i = 0; i < POINT_SUMS; ++i)
    sums[((ulong)get_global_id(1) * all_blocks + first_block + get_global_id(0)) * POINT_SUMS + i] = s[i];
}

/// What each neuron adds. Distortion by Huygens: the squares around any place are those around the mean and the count
/// times the squared way there. Work-item (neuron, map).
kernel void neuron_terms(global const MeasuredMap *maps, int kind, global const real *weights, global const real *means,
                         global const real *center, global const int *hits, global const int *counts,
                         global const real *squares, global const real *spread, global real *terms) {
  const MeasuredMap map = maps[get_global_id(1)];
  const int k = (int)get_global_id(0);
  if (k >= map.neurons) return;
  const int count = hits[map.neurons_at + k];
  real distortion = 0;
  real similarity = 0;
  real between = 0;
  global const real *mean = means + map.weights + (ulong)k * COLUMNS;
#ifdef MISSING
  global const int *cells = counts + map.weights + (ulong)k * COLUMNS;
#define CELLS(c) (real) cells[c]
#else
#define CELLS(c) (real) count
#endif
  if (count > 0) {
    for (uint c = 0; c < COLUMNS; ++c) between = fma(CELLS(c), (mean[c] - center[c]) * (mean[c] - center[c]), between);
    const real ends = influence_ends(kind, map.sigma);
    const int row = k / map.columns;
    const int column = k - row * map.columns;
    int j = 0;
    for (int r = 0; r < map.rows; ++r)
      for (int q = 0; q < map.columns; ++q, ++j) {
        const real d2 = offset_distance2(map.topology, map.rows, map.columns, row, r - row, q - column);
        if (d2 <= ends) {
          global const real *w = weights + map.weights + (ulong)j * COLUMNS;
          real away = squares[map.neurons_at + k];
          for (uint c = 0; c < COLUMNS; ++c) away = fma(CELLS(c), (mean[c] - w[c]) * (mean[c] - w[c]), away);
          distortion = fma(neighborhood(kind, d2, map.sigma), away, distortion);
        }
        if (j == k || hits[map.neurons_at + j] == 0) continue;
        global const real *other = means + map.weights + (ulong)j * COLUMNS;
        real apart = 0;
        for (uint c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
          if (cells[c] == 0 || counts[map.weights + (ulong)j * COLUMNS + c] == 0) continue;
#endif
          apart = fma(mean[c] - other[c], mean[c] - other[c], apart);
        }
        // Means on the same place are no pair to compare (scikit-learn does the same).
        const real ratio = (spread[map.neurons_at + k] + spread[map.neurons_at + j]) / sqrt(apart);
        if (apart > (real)0 && ratio > similarity) similarity = ratio;
      }
  }
  global real *t = terms + (map.neurons_at + k) * NEURON_TERMS;
  t[0] = distortion;
  t[1] = similarity;
  t[2] = between;
}

/// The results of a map, in the order of struct Measures. Work-item (map).
kernel void finish(global const MeasuredMap *maps, uint blocks, global const real *sums, global const int *hits,
                   global const real *squares, global const real *terms, real total_squares, global real *results) {
  const MeasuredMap map = maps[get_global_id(0)];
  real s[POINT_SUMS];
  for (int i = 0; i < POINT_SUMS; ++i) s[i] = 0;
  for (uint b = 0; b < blocks; ++b)
    for (int i = 0; i < POINT_SUMS; ++i) s[i] += sums[((ulong)get_global_id(0) * blocks + b) * POINT_SUMS + i];
  real distortion = 0;
  real similarity = 0;
  real between = 0;
  real within = 0;
  int used = 0;
  for (int k = 0; k < map.neurons; ++k) {
    const ulong at = map.neurons_at + k;
    if (hits[at] == 0) continue;
    ++used;
    distortion += terms[at * NEURON_TERMS];
    similarity += terms[at * NEURON_TERMS + 1];
    between += terms[at * NEURON_TERMS + 2];
    within += squares[at];
  }
  const real points = s[6];
  const real groups = (real)used;
  global real *r = results + get_global_id(0) * 11;
  r[0] = s[0] / points;
  r[1] = s[1] / points;
  r[2] = s[2] / points;
  r[3] = s[3] / points;
  r[4] = distortion / points;
  r[5] = s[4] / points;
  r[6] = total_squares > (real)0 ? (real)1 - s[1] / total_squares : (real)NAN;
  r[7] = (real)(map.neurons - used);
  r[8] = used > 1 ? similarity / groups : (real)NAN;
  r[9] = used > 1 && within > (real)0 && points > groups ? (between / (groups - (real)1)) / (within / (points - groups))
                                                         : (real)NAN;
  r[10] = used > 1 ? s[5] / points : (real)NAN;
}
