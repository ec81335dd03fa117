// Distances in data space, a column at a time, for `reals`: one number or a vector of them.
//   VECTOR_START(d)                  before the first column
//   VECTOR_ADD(d, x, w)              a column: x and w are reals
//   VECTOR_KEY(d)                    what sorts like the distance and is >= 0
//   VECTOR_DISTANCE(key)             the distance itself
// Columns with a missing cell are left out by the caller.
#define EUCLIDEAN 0
#define MANHATTAN 1
#define CHEBYSHEV 2
#define COSINE 3

#if METRIC == COSINE
typedef struct {
  reals xw, xx, ww;
} Partial;
#define VECTOR_START(d) (d).xw = (d).xx = (d).ww = (reals)(0)
#define VECTOR_ADD(d, x, w)         \
  do {                              \
    (d).xw = fma((x), (w), (d).xw); \
    (d).xx = fma((x), (x), (d).xx); \
    (d).ww = fma((w), (w), (d).ww); \
  } while (0)
/// 1 - cos; 1 from or to the zero vector, which has no direction. Rounding never makes it negative.
ATOLL_FUNCTION reals cosine_distance(Partial d) {
  const reals norms = d.xx * d.ww;
  const reals cosine = d.xw / sqrt(norms);
  const reals away = (reals)(1) - cosine;
  const reals clamped = away > (reals)(0) ? away : (reals)(0);
  return norms > (reals)(0) ? clamped : (reals)(1);
}
#define VECTOR_KEY(d) cosine_distance(d)
#define VECTOR_DISTANCE(key) (key)
#else
typedef reals Partial;
#define VECTOR_START(d) (d) = (reals)(0)
#if METRIC == EUCLIDEAN
#define VECTOR_ADD(d, x, w) (d) = fma((x) - (w), (x) - (w), (d))
#define VECTOR_DISTANCE(key) sqrt(key)
#elif METRIC == MANHATTAN
#define VECTOR_ADD(d, x, w) (d) += fabs((x) - (w))
#define VECTOR_DISTANCE(key) (key)
#else
#define VECTOR_ADD(d, x, w) (d) = fmax(fabs((x) - (w)), (d))
#define VECTOR_DISTANCE(key) (key)
#endif
#define VECTOR_KEY(d) (d)
#endif
