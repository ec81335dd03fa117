// The order of the points in an epoch without storing it: a bijection of 0 .. n-1 that Philox keys by map and epoch.
// A Feistel network over the next power of two; indices beyond n walk on until they fall inside (cycle walking).
// Also compiled as C++ by src/som/streams.hpp. U is uint, or a vector of them.
#ifdef __OPENCL_VERSION__
#define ATOLL_UNROLL_HERE _Pragma("unroll")
#else
#define ATOLL_UNROLL_HERE
#endif
#define ORDER_ROUNDS 6
#define DRAW_ORDER 1u
#define DRAW_SAMPLE 2u
#define DRAW_UNIFORM 3u

typedef struct {
  uint key[8];
  uint low_bits, low_mask, high_mask;
} Shuffle;

/// The bijection number `epoch` of a stream over `n` points. `kind` sets uses apart.
ATOLL_FUNCTION Shuffle shuffle_of(ulong seed, ulong stream, uint kind, uint epoch, uint n) {
  Shuffle s;
  ATOLL_UNROLL_HERE
  for (int block = 0; block < 2; ++block) {
    const uint4 words =
        philox(ATOLL_WORDS((kind << 24) | (uint)block, epoch, (uint)stream, (uint)(stream >> 32)), seed);
    uint *key = s.key + (block == 0 ? 0 : 4);
    key[0] = words.x;
    key[1] = words.y;
    key[2] = words.z;
    key[3] = words.w;
  }
  uint bits = 2;
  while (bits < 32 && (((ulong)1) << bits) < n) ++bits;
  s.low_bits = (bits + 1) / 2;
  s.low_mask = (1u << s.low_bits) - 1u;
  s.high_mask = (1u << (bits - s.low_bits)) - 1u;
  return s;
}

#define FEISTEL(value, key) \
  (((((value) + (key)) * 0xC2B2AE3Du) ^ ((((value) + (key)) * 0xC2B2AE3Du) >> 15)) * 0x27D4EB2Fu >> 13)

#define DEFINE_SHUFFLED(name, U)                             \
  ATOLL_FUNCTION U name(const Shuffle *s, U index) {         \
    U low = index & s->low_mask;                             \
    U high = index >> s->low_bits;                           \
    ATOLL_UNROLL_HERE                                        \
    for (int round = 0; round < ORDER_ROUNDS; round += 2) {  \
      high ^= FEISTEL(low, s->key[round]) & s->high_mask;    \
      low ^= FEISTEL(high, s->key[round + 1]) & s->low_mask; \
    }                                                        \
    return (high << s->low_bits) | low;                      \
  }

DEFINE_SHUFFLED(shuffled_once, uint)

/// The point at position `index` < n.
ATOLL_FUNCTION uint shuffled(const Shuffle *s, uint index, uint n) {
  uint at = shuffled_once(s, index);
  while (at >= n) at = shuffled_once(s, at);
  return at;
}
