// Random draws that are the same bits on every device and on the host: only + - * /, sqrt and integer operations.
// A block of four words has the counter (kind and block number, member, generation, island) under the run's seed.

ATOLL_FUNCTION uint4 draw_block(ulong seed, uint kind, uint block, uint member, uint generation, uint island) {
  return philox(ATOLL_WORDS((kind << 24) | block, member, generation, island), seed);
}

ATOLL_FUNCTION uint word_of(uint4 block, uint i) {
  return i == 0 ? block.x : i == 1 ? block.y : i == 2 ? block.z : block.w;
}

/// Word `index` of the stream of one (kind, member, generation, island).
ATOLL_FUNCTION uint draw_word(ulong seed, uint kind, uint index, uint member, uint generation, uint island) {
  return word_of(draw_block(seed, kind, index >> 2, member, generation, island), index & 3u);
}

/// Uniform integer in 0 .. n-1; the bias is below n / 2^32.
ATOLL_FUNCTION uint bounded(uint word, uint n) { return (uint)(((ulong)word * n) >> 32); }

/// Uniform in [0, 1): 32 bits in double, 24 in single.
ATOLL_FUNCTION real uniform(uint word) {
#ifdef ATOLL_SINGLE
  return (real)(word >> 8) * (real)5.9604644775390625e-08;
#else
  return (real)word * (real)2.3283064365386962890625e-10;
#endif
}

/// Uniform in (0, 1), never an end.
ATOLL_FUNCTION real uniform_open(uint word) {
#ifdef ATOLL_SINGLE
  return ((real)(word >> 9) + (real)0.5) * (real)1.1920928955078125e-07;
#else
  return ((real)word + (real)0.5) * (real)2.3283064365386962890625e-10;
#endif
}

/// Uniform in [0, 1) with all bits of the type, from two words.
ATOLL_FUNCTION real uniform_fine(uint high, uint low) {
#ifdef ATOLL_SINGLE
  (void)low;
  return (real)(high >> 8) * (real)5.9604644775390625e-08;
#else
  return (real)((((ulong)high << 32) | low) >> 11) * (real)1.1102230246251565404236316680908203125e-16;
#endif
}

// sin(pi t) and cos(pi t) for |t| <= 1/4 by their Taylor series: 2e-14 is far below what a random draw can show.
ATOLL_FUNCTION real sin_pi_small(real t) {
  const real x = t * (real)3.14159265358979323846;
  const real y = x * x;
  const real p = (real)1 / (real)6227020800 * y - (real)1 / (real)39916800;
  return x + x * y *
                 ((((p * y + (real)1 / (real)362880) * y - (real)1 / (real)5040) * y + (real)1 / (real)120) * y -
                  (real)1 / (real)6);
}

ATOLL_FUNCTION real cos_pi_small(real t) {
  const real x = t * (real)3.14159265358979323846;
  const real y = x * x;
  const real p = (real)-1 / (real)87178291200 * y + (real)1 / (real)479001600;
  return (real)1 -
         y * ((real)0.5 -
              y * (((((p * y - (real)1 / (real)3628800) * y + (real)1 / (real)40320) * y - (real)1 / (real)720)) * y +
                   (real)1 / (real)24));
}

/// cos(2 pi u) for u in [0, 1).
ATOLL_FUNCTION real cos_two_pi(real u) {
  const real t = (real)2 * u;                      // [0, 2)
  const real h = t > (real)1 ? (real)2 - t : t;    // cos(pi t), t in [0, 1]
  const real q = h > (real)0.5 ? (real)1 - h : h;  // [0, 1/2]
  const real c = q > (real)0.25 ? sin_pi_small((real)0.5 - q) : cos_pi_small(q);
  return h > (real)0.5 ? -c : c;
}

/// tan(pi v) for v in (-1/2, 1/2).
ATOLL_FUNCTION real tan_pi(real v) {
  const real a = v < (real)0 ? -v : v;
  const real r = a > (real)0.25 ? (real)0.5 - a : a;
  const real s = sin_pi_small(r);
  const real c = cos_pi_small(r);
  const real t = a > (real)0.25 ? c / s : s / c;
  return v < (real)0 ? -t : t;
}

/// ln u for a normal u in (0, 1): u = 2^k m with m near 1, ln m = 2 atanh((m - 1) / (m + 1)).
ATOLL_FUNCTION real log_portable(real u) {
  const real_bits bits = AS_BITS(u);
  const int bias = (1 << (REAL_EXPONENT_BITS - 1)) - 1;
  int exponent = (int)(bits >> REAL_MANTISSA_BITS) - bias;
  const real_bits one = (real_bits)bias << REAL_MANTISSA_BITS;
  real m = AS_REAL((bits & (((real_bits)1 << REAL_MANTISSA_BITS) - 1)) | one);  // [1, 2)
  if (m > (real)1.4142135623730951) {
    m = m * (real)0.5;
    exponent += 1;
  }
  const real s = (m - (real)1) / (m + (real)1);
  const real y = s * s;
  real p = (real)1 / (real)15;
  p = p * y + (real)1 / (real)13;
  p = p * y + (real)1 / (real)11;
  p = p * y + (real)1 / (real)9;
  p = p * y + (real)1 / (real)7;
  p = p * y + (real)1 / (real)5;
  p = p * y + (real)1 / (real)3;
  p = p * y + (real)1;
  return (real)2 * s * p + (real)exponent * (real)0.69314718055994530942;
}

/// Standard normal by Box and Muller.
ATOLL_FUNCTION real normal(uint first, uint second) {
  return sqrt((real)-2 * log_portable(uniform_open(first))) * cos_two_pi(uniform(second));
}

/// Standard Cauchy.
ATOLL_FUNCTION real cauchy(uint word) { return tan_pi(uniform_open(word) - (real)0.5); }

/// The `word`-th of 0 .. n-1 without `a`: uniform over what is left.
ATOLL_FUNCTION uint bounded_without(uint word, uint n, uint a) {
  const uint r = bounded(word, n - 1u);
  return r + (r >= a ? 1u : 0u);
}

/// Uniform in 0 .. n-1 without a and b, which differ.
ATOLL_FUNCTION uint bounded_without2(uint word, uint n, uint a, uint b) {
  const uint low = a < b ? a : b;
  const uint high = a < b ? b : a;
  uint r = bounded(word, n - 2u);
  r += r >= low ? 1u : 0u;
  r += r >= high ? 1u : 0u;
  return r;
}

/// The k-th of several distinct integers in 0 .. n-1. `taken` holds k + 1 ascending ones already and gets the new one.
ATOLL_FUNCTION uint distinct(uint word, uint n, uint *taken, int k) {
  uint drawn = bounded(word, n - 1u - (uint)k);
  for (int j = 0; j <= k; ++j) drawn += drawn >= taken[j] ? 1u : 0u;
  uint carried = drawn;
  for (int j = 0; j <= k; ++j) {
    const uint low = taken[j] < carried ? taken[j] : carried;
    carried = taken[j] < carried ? carried : taken[j];
    taken[j] = low;
  }
  taken[k + 1] = carried;
  return drawn;
}
