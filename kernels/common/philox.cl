// Philox 4x32 (Salmon, Moraes, Dror, Shaw, SC 2011): four random words from a counter and a key, no state.
// Seven rounds pass BigCrush (table 2 of the paper); Random123's default of ten is a margin that we do not pay for.
// This file and draws.cl are also C++: the host includes them, so that both sides draw the same bits.
#ifndef PHILOX_ROUNDS
#define PHILOX_ROUNDS 7
#endif

ATOLL_FUNCTION uint4 philox_round(uint4 c, uint key_low, uint key_high) {
  const ulong a = (ulong)0xD2511F53u * c.x;
  const ulong b = (ulong)0xCD9E8D57u * c.z;
  return ATOLL_WORDS((uint)(b >> 32) ^ c.y ^ key_low, (uint)b, (uint)(a >> 32) ^ c.w ^ key_high, (uint)a);
}

ATOLL_FUNCTION uint4 philox(uint4 counter, ulong seed) {
  uint low = (uint)seed;
  uint high = (uint)(seed >> 32);
  uint4 words = counter;
#ifdef __OPENCL_VERSION__
#pragma unroll
#endif
  for (int round = 0; round < PHILOX_ROUNDS; ++round) {
    words = philox_round(words, low, high);
    low += 0x9E3779B9u;
    high += 0xBB67AE85u;
  }
  return words;
}
