// One to one selection: a trial survives when it is not worse than its parent; only a better one is a success.

/// The first `count` members were evaluated; `evaluations` is the island's count before this generation.
static inline void select_survivors(const Island *island, local Shared *shared, local Scratch *scratch, const Run *run,
                                    int count, uint generation, ulong evaluations) {
#if ADAPTIVE
  SOLO_BEGIN
  PLAIN_LOOP
  for (int word = SOLO_FIRST; word < (count + 31) >> 5; word += SOLO_STEP) island->bits[word] = 0u;
  SOLO_BARRIER;
  PLAIN_LOOP
  for (int member = SOLO_FIRST; member < count; member += SOLO_STEP) {
    const real old_energy = island->energy[member], new_energy = island->trial_energy[member];
    const bool success = ranks_before(new_energy, old_energy);
    const real gain = success ? old_energy - new_energy : (real)0;
    island->gain[member] = gain == gain ? gain : (real)INFINITY;  // from NaN to a number
    if (success) atomic_or(&island->bits[member >> 5], 1u << (member & 31));
  }
  SOLO_BARRIER;
  keep_parents(island, shared, run, count, generation);
  SOLO_END
#endif
  MEMBERS_BEGIN(member, count)
    if (member < count) {
      const real new_energy = island->trial_energy[member];
      if (!ranks_before(island->energy[member], new_energy)) {
        UNROLL_GENES
        for (int k = 0; k < FREE; ++k) island->population[k * STRIDE + member] = TRIAL(island, k, member);
        island->energy[member] = new_energy;
#if !ADAPTIVE
        if (!ranks_before(shared->best_energy, new_energy)) shared->search_best = 1;
#endif
      }
    }
  MEMBERS_END
  PLAIN_LOOP
  for (int member = run->lid; member < count; member += GROUP) {
    const real energy = island->trial_energy[member];
    if (energy != energy) atomic_inc(&shared->nan);
    if (energy == (real)INFINITY || energy == (real)-INFINITY) atomic_inc(&shared->inf);
    if (energy <= run->value_to_reach) atomic_min(&shared->reached, member);
  }
  barrier(ALL_FENCES);
#if ADAPTIVE
  SOLO_BEGIN
  adapt(island, shared, scratch, run, count, evaluations + (ulong)count);
  SOLO_END
#endif
}
