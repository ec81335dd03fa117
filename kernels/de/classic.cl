// Classic differential evolution (Storn and Price, 1997): SciPy's twelve strategies.
// STRATEGY: 0 best1, 1 rand1, 2 randtobest1, 3 currenttobest1, 4 best2, 5 rand2; EXPONENTIAL: 0 bin, 1 exp.

#define ADAPTIVE 0

#if STRATEGY == 0 || STRATEGY == 3
#define DONORS 2
#elif STRATEGY == 1 || STRATEGY == 2
#define DONORS 3
#elif STRATEGY == 4
#define DONORS 4
#else
#define DONORS 5
#endif

/// The best member and the generation's F (dither). The best is searched only after a generation that may have moved
/// it.
static inline void prepare_generation(const Island *island, local Shared *shared, local Scratch *scratch,
                                      const Run *run, uint generation) {
#ifndef LANES  // PoCL compiles badly what stands behind such a branch, and a CPU searches quickly
  if (shared->search_best != 0)
#endif
  {
    const int best = extreme_member(island->energy, shared->members, false, scratch, run->lid);
    barrier(ALL_FENCES);
    if (run->lid == 0) {
      shared->best = best;
      shared->best_energy = island->energy[best];
      shared->search_best = 0;
    }
  }
  if (run->lid == 0) {
    const uint word = draw_word(run->seed, DRAW_DITHER, 0u, 0u, generation, run->island);
    shared->f = run->f_low + uniform(word) * (run->f_high - run->f_low);
  }
  barrier(ALL_FENCES);
}

/// F and CR are the same for all members.
static inline void choose_parameters(const Island *island, local const Shared *shared, const Run *run, int member,
                                     uint generation, ulong evaluations) {}

/// One gene of the donor vector; x is the target's, r the donors'.
static inline real mutant(real x, real best, const real *r, real f) {
#if STRATEGY == 0
  return best + f * (r[0] - r[1]);
#elif STRATEGY == 1
  return r[0] + f * (r[1] - r[2]);
#elif STRATEGY == 2
  return r[0] + f * (best - r[0] + r[1] - r[2]);
#elif STRATEGY == 3
  return x + f * (best - x + r[0] - r[1]);
#elif STRATEGY == 4
  return best + f * (r[0] + r[1] - r[2] - r[3]);
#else
  return r[0] + f * (r[1] + r[2] - r[3] - r[4]);
#endif
}

/// Words of DRAW_VARY: the donors, the start gene, then the crossover bits.
static inline void make_trial(const Island *island, local const Shared *shared, const Run *run, int member,
                              uint generation, ulong evaluations) {
  const int target = min(member, shared->members - 1);  // lanes beyond the population copy the last member's work
  uint4 block = ATOLL_WORDS(0u, 0u, 0u, 0u);
  uint at = 0xFFFFFFFFu;
  uint taken[DONORS + 1];
  uint donor[DONORS];
  taken[0] = (uint)target;
#pragma unroll
  for (int k = 0; k < DONORS; ++k) {
    if ((uint)(k >> 2) != at) {
      at = (uint)(k >> 2);
      block = draw_block(run->seed, DRAW_VARY, at, (uint)member, generation, run->island);
    }
    donor[k] = distinct(word_of(block, (uint)k & 3u), (uint)shared->members, taken, k);
  }
  if ((uint)(DONORS >> 2) != at) {
    at = (uint)(DONORS >> 2);
    block = draw_block(run->seed, DRAW_VARY, at, (uint)member, generation, run->island);
  }
  const int start = (int)bounded(word_of(block, DONORS & 3u), FREE);
  const real f = shared->f;
  const real threshold = run->crossover_probability * (real)65536;
#if EXPONENTIAL
  const int length = exponential_length(run, threshold, DONORS + 1, member, generation);
#endif
  int outside = 0;
  UNROLL_GENES
  for (int k = 0; k < FREE; ++k) {
#if EXPONENTIAL
    const int behind = k >= start ? k - start : k - start + FREE;
    const bool crosses = behind < length;
#else
    const bool crosses =
        k == start || (real)crossover_bits(run, k, DONORS + 1, member, generation, &block, &at) < threshold;
#endif
    SPACE const real *gene = island->population + k * STRIDE;
    real r[DONORS];
#pragma unroll
    for (int j = 0; j < DONORS; ++j) r[j] = gene[donor[j]];
    const real parent = gene[target];
    const real v = into_box(mutant(parent, gene[shared->best], r, f), parent, run->lower[k], run->upper[k]);
    note_outside(&outside, crosses, v, run->lower[k], run->upper[k]);
    TRIAL(island, k, member) = crosses ? v : parent;
  }
  mark_outside(island, member, outside);
}
