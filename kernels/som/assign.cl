// The nearest and the second nearest neuron of every point, WIDTH points a work-item. Ties go to the lowest index.
// `points` is column-major, `stride` values a column, a multiple of WIDTH. -1: a point without any present cell.

ATOLL_FUNCTION void assign_points(const MeasuredMap map, global const real *points, uint stride, uint p,
                                  global const real *w, global int *nearest, global int *second) {
  reals first_key = (reals)(INFINITY);
  reals second_key = (reals)(INFINITY);
  numbers first = 0;
  numbers other = 0;
  for (int j = 0; j < map.neurons; ++j) {
    Partial d;
    VECTOR_START(d);
    for (uint c = 0; c < COLUMNS; ++c) {
      const reals x = LOAD_POINTS(points + (ulong)c * stride + p);
      const reals v = (reals)(w[(ulong)j * COLUMNS + c]);
#ifdef MISSING
      const reals seen = x == x ? x : v;
      VECTOR_ADD(d, seen, v);
#else
      VECTOR_ADD(d, x, v);
#endif
    }
    const reals key = VECTOR_KEY(d);
    const numbers closer = key < first_key;
    const numbers next = key < second_key;
    other = closer ? first : next ? (numbers)(j) : other;
    second_key = closer ? first_key : next ? key : second_key;
    first = closer ? (numbers)(j) : first;
    first_key = closer ? key : first_key;
  }
#ifdef MISSING
  numbers present = 0;
  for (uint c = 0; c < COLUMNS; ++c) {
    const reals x = LOAD_POINTS(points + (ulong)c * stride + p);
    present = present | (x == x);
  }
  first = present ? first : (numbers)(-1);
#endif
  STORE_NUMBERS(first, nearest + p);
  STORE_NUMBERS(other, second + p);
}

/// Work-item (VECTORS_AN_ITEM * WIDTH points, map).
kernel void assign(global const MeasuredMap *maps, global const real *points, uint stride, global const real *weights,
                   global int *nearest, global int *second) {
  const MeasuredMap map = maps[get_global_id(1)];
  const ulong at = (ulong)get_global_id(1) * stride;
  const uint first = get_global_id(0) * (VECTORS_AN_ITEM * WIDTH);
  for (uint i = 0; i < VECTORS_AN_ITEM; ++i) {
    const uint p = first + i * WIDTH;
    if (p < stride) assign_points(map, points, stride, p, weights + map.weights, nearest + at, second + at);
  }
}
