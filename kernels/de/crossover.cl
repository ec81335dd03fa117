// Which genes come from the donor vector. Sixteen bits a gene decide against CR; the start gene always crosses.

/// Sixteen random bits of gene k; `first` is the word at which a member's crossover bits begin. The block is kept
/// between calls with rising k.
static inline uint crossover_bits(const Run *run, int k, int first, int member, uint generation, uint4 *block,
                                  uint *at) {
  const uint index = (uint)(first + (k >> 1));
  if ((index >> 2) != *at) {
    *at = index >> 2;
    *block = draw_block(run->seed, DRAW_VARY, *at, (uint)member, generation, run->island);
  }
  const uint word = word_of(*block, index & 3u);
  return (k & 1) != 0 ? word >> 16 : word & 0xFFFFu;
}

/// Exponential crossover: number of genes from the start gene on, at least one.
static inline int exponential_length(const Run *run, real threshold, int first, int member, uint generation) {
  uint4 block = ATOLL_WORDS(0u, 0u, 0u, 0u);
  uint at = 0xFFFFFFFFu;
  int genes = 1;
  while (genes < FREE && (real)crossover_bits(run, genes, first, member, generation, &block, &at) < threshold) ++genes;
  return genes;
}
