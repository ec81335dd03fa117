// Vectors for CPUs: LANES neurons at a time, and the lowest index among the smallest of them.
#ifdef ATOLL_SINGLE
#define LANES 16
typedef float16 reals;
typedef uint16 indices;
typedef uint lane_number;
#define LANE_NUMBERS ((uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
#define LOAD(at) vload16(0, at)
#define STORE(value, at) vstore16(value, 0, at)

/// Distances are >= 0, so that their bits sort like they do; with the index below them ties go to the lowest.
ATOLL_FUNCTION uint lowest(reals best, indices where) {
  const ulong8 k8 = min(upsample(as_uint8(best.lo), where.lo), upsample(as_uint8(best.hi), where.hi));
  const ulong4 k4 = min(k8.lo, k8.hi);
  const ulong2 k2 = min(k4.lo, k4.hi);
  return (uint)min(k2.x, k2.y);
}
#else
#define LANES 8
typedef double8 reals;
typedef ulong8 indices;
typedef ulong lane_number;
#define LANE_NUMBERS ((ulong8)(0, 1, 2, 3, 4, 5, 6, 7))
#define LOAD(at) vload8(0, at)
#define STORE(value, at) vstore8(value, 0, at)

ATOLL_FUNCTION uint lowest(reals best, indices where) {
  const ulong8 bits = as_ulong8(best);
  const ulong4 b4 = min(bits.lo, bits.hi);
  const ulong2 b2 = min(b4.lo, b4.hi);
  const ulong smallest = min(b2.x, b2.y);
  const ulong8 candidates = bits == smallest ? where : (ulong8)(0xFFFFFFFFul);
  const ulong4 c4 = min(candidates.lo, candidates.hi);
  const ulong2 c2 = min(c4.lo, c4.hi);
  return (uint)min(c2.x, c2.y);
}
#endif
