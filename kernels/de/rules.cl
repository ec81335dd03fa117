// Small rules of differential evolution that host and device share; also C++, see src/de/rules.hpp.

// Streams of random words. The words of one (kind, member, generation, island) are numbered from 0.
enum {
  DRAW_INITIAL = 0,     // words 2d, 2d+1: coordinate d of a first member
  DRAW_SHUFFLE = 1,     // member = coordinate: the latin hypercube's permutation of the strata, word m swaps stratum m
  DRAW_SHIFT = 2,       // words 2d, 2d+1: an island's shift of the sobol or halton points
  DRAW_VARY = 3,        // donors, start gene, then sixteen bits a gene for crossover
  DRAW_PARAMETERS = 4,  // words 0, 1: CR; from 2 on: attempts at F
  DRAW_RESAMPLE = 5,    // word d: coordinate d of a trial that left the box
  DRAW_ARCHIVE = 6,     // word 0: the slot that a full archive loses
  DRAW_DITHER = 7,      // member 0, word 0: F of a generation
  DRAW_EMIGRATE = 8,    // member 0, word m: whether member m leaves (selection "random")
  DRAW_IMMIGRATE = 9    // member 0, word c: the member that candidate c replaces (replacement "random")
};

/// True when energy a ranks strictly before b: numbers, then +inf, then NaN.
ATOLL_FUNCTION bool ranks_before(real a, real b) { return a < b || (b != b && a == a); }

/// Members of a shrinking population after `evaluations` of `schedule`: round(first + (4 - first) e / s), half up,
/// exact.
ATOLL_FUNCTION uint scheduled_population(uint first, ulong evaluations, ulong schedule) {
  if (evaluations >= schedule) return 4u;
  const ulong kept = (ulong)first * schedule - (ulong)(first - 4u) * evaluations;
  const ulong members = (2u * kept + schedule) / (2u * schedule);
  return members < 4u ? 4u : (uint)members;
}

/// The same gene seen from outside a bound: midpoint of bound and parent; NaN counts as below.
ATOLL_FUNCTION real bound_midpoint(real v, real parent, real lower, real upper) {
  if (!(v >= lower)) return (real)0.5 * lower + (real)0.5 * parent;
  return v > upper ? (real)0.5 * upper + (real)0.5 * parent : v;
}

ATOLL_FUNCTION real bound_clip(real v, real lower, real upper) {
  if (!(v >= lower)) return lower;
  return v > upper ? upper : v;
}

/// Mirrored once at the bound; what is still outside is clipped.
ATOLL_FUNCTION real bound_reflect(real v, real lower, real upper) {
  const real mirrored = !(v >= lower) ? lower + (lower - v) : v > upper ? upper - (v - upper) : v;
  return bound_clip(mirrored, lower, upper);
}

/// A point of [lower, upper] from u in [0, 1); rounding never leaves the box.
ATOLL_FUNCTION real point_in_box(real u, real lower, real upper) {
  return bound_clip(lower + u * (upper - lower), lower, upper);
}
