// jSO (Brest, Maucec, Boskovic, CEC 2017): current-to-pbest-w/1/bin with success memories, an archive of replaced
// parents, and a population that shrinks linearly with the evaluations of the schedule.

#define ADAPTIVE 1

/// Slots of the archive: 1.0 times the population.
static inline int archive_capacity(int members) { return members; }

/// Ranks all members: order[rank] = member, by (energy, index); NaN behind +inf.
static inline void prepare_generation(const Island *island, local Shared *shared, local Scratch *scratch,
                                      const Run *run, uint generation) {
  const int members = shared->members;
  MEMBERS_BEGIN(member, members)
    if (member < members) {
      const real mine = island->energy[member];
      int rank = 0;
      if (mine == mine) {
        // A NaN compares false, so it is never counted as being in front.
        PLAIN_LOOP
        for (int j = 0; j < member; ++j) rank += island->energy[j] <= mine ? 1 : 0;
        PLAIN_LOOP
        for (int j = member + 1; j < members; ++j) rank += island->energy[j] < mine ? 1 : 0;
      } else {
        PLAIN_LOOP
        for (int j = 0; j < members; ++j) rank += island->energy[j] == island->energy[j] || j < member ? 1 : 0;
      }
      island->order[rank] = member;
    }
  MEMBERS_END
  barrier(ALL_FENCES);
}

/// Share of the schedule that is used up.
static inline real progress(const Run *run, ulong evaluations) {
  const real share = (real)evaluations / (real)run->schedule;
  return share > (real)1 ? (real)1 : share;
}

/// F and CR of a member's trial. Words of DRAW_PARAMETERS: 0 and 1 a normal, then one Cauchy an attempt.
/// The memory slot comes from word 0 of DRAW_VARY.
static inline void choose_parameters(const Island *island, local const Shared *shared, const Run *run, int member,
                                     uint generation, ulong evaluations) {
  const real r = progress(run, evaluations);
  const uint slot = bounded(draw_word(run->seed, DRAW_VARY, 0u, (uint)member, generation, run->island), MEMORY);
  const bool last = slot == MEMORY - 1;
  const real mean_f = last ? (real)0.9 : shared->memory_f[slot];
  const real mean_cr = last ? (real)0.9 : shared->memory_cr[slot];
  uint4 block = draw_block(run->seed, DRAW_PARAMETERS, 0u, (uint)member, generation, run->island);

  real cr = (real)0;
  if (!(mean_cr < (real)0)) {
    cr = mean_cr + (real)0.1 * normal(block.x, block.y);
    cr = cr < (real)0 ? (real)0 : cr > (real)1 ? (real)1 : cr;
  }
  if (r < (real)0.25 && cr < (real)0.7) cr = (real)0.7;
  if (r < (real)0.5 && cr < (real)0.6) cr = (real)0.6;

  real f = (real)0;
  PLAIN_LOOP
  for (uint attempt = 2u; f <= (real)0; ++attempt) {
    if ((attempt & 3u) == 0u)
      block = draw_block(run->seed, DRAW_PARAMETERS, attempt >> 2, (uint)member, generation, run->island);
    f = mean_f + (real)0.1 * cauchy(word_of(block, attempt & 3u));
  }
  if (f > (real)1) f = (real)1;
  if (r < (real)0.6 && f > (real)0.7) f = (real)0.7;

  island->f[member] = f;
  island->cr[member] = cr;
}

/// Words of DRAW_VARY: memory slot, pbest, r1, r2, start gene, then the crossover bits.
static inline void make_trial(const Island *island, local const Shared *shared, const Run *run, int member,
                              uint generation, ulong evaluations) {
  const int members = shared->members;
  const int target = min(member, members - 1);
  const real r = progress(run, evaluations);
  const real p = (real)0.25 * ((real)1 - (real)0.5 * r);
  const int pool = min(members, max(2, (int)(p * (real)members + (real)0.5)));
  const real f = island->f[member];
  const real weighted = (r < (real)0.2 ? (real)0.7 : r < (real)0.4 ? (real)0.8 : (real)1.2) * f;
  const real threshold = island->cr[member] * (real)65536;

  uint4 block = draw_block(run->seed, DRAW_VARY, 0u, (uint)member, generation, run->island);
  // Not itself in the first half: its own place in the pool goes to the pool's last.
  const int last = island->order[pool - 1];
  const real mine = island->energy[target], lasts = island->energy[last];
  const bool in_pool = target == last || ranks_before(mine, lasts) || (!ranks_before(lasts, mine) && target < last);
  const bool excluded = r < (real)0.5 && in_pool;
  const int chosen = island->order[bounded(block.y, (uint)(excluded ? pool - 1 : pool))];
  const int best = excluded && chosen == target ? last : chosen;
  const uint r1 = bounded_without(block.z, (uint)members, (uint)target);
  const uint r2 = bounded_without2(block.w, (uint)(members + shared->archive_size), (uint)target, r1);
  uint at = 1u;
  block = draw_block(run->seed, DRAW_VARY, 1u, (uint)member, generation, run->island);
  const int start = (int)bounded(block.x, FREE);
  const bool archived = (int)r2 >= members;
  int outside = 0;
  UNROLL_GENES
  for (int k = 0; k < FREE; ++k) {
    const bool crosses = k == start || (real)crossover_bits(run, k, 5, member, generation, &block, &at) < threshold;
    SPACE const real *gene = island->population + k * STRIDE;
    const real parent = gene[target];
    const real other = archived ? island->archive[k * ARCHIVE + (int)r2 - members] : gene[r2];
    const real v = parent + weighted * (gene[best] - parent) + f * (gene[r1] - other);
    const real moved = into_box(v, parent, run->lower[k], run->upper[k]);
    note_outside(&outside, crosses, moved, run->lower[k], run->upper[k]);
    TRIAL(island, k, member) = crosses ? moved : parent;
  }
  mark_outside(island, member, outside);
}

static inline int number_of_bits(SPACE const uint *bits, int words) {
  int total = 0;
  PLAIN_LOOP
  for (int w = 0; w < words; ++w) total += (int)popcount(bits[w]);
  return total;
}

static inline bool is_success(SPACE const uint *bits, int member) {
  return (bits[member >> 5] >> (member & 31) & 1u) != 0u;
}

/// The parents of successes go to the archive, in member order: appended while there is room, else into random slots,
/// where the last one to want a slot gets it. A capacity of at most 1 means no archive.
static inline void keep_parents(const Island *island, local Shared *shared, const Run *run, int count,
                                uint generation) {
  const int capacity = archive_capacity(shared->members);
  const int before = shared->archive_size;
  const int archived = capacity > 1 ? count : 0;
  PLAIN_LOOP
  for (int member = SOLO_FIRST; member < archived; member += SOLO_STEP) {
    if (!is_success(island->bits, member)) continue;
    const uint below = (1u << (member & 31)) - 1u;
    const int place =
        before + number_of_bits(island->bits, member >> 5) + (int)popcount(island->bits[member >> 5] & below);
    int slot = place;
    if (place >= capacity)
      slot =
          (int)bounded(draw_word(run->seed, DRAW_ARCHIVE, 0u, (uint)member, generation, run->island), (uint)capacity);
    island->order[member] = slot;
    island->claim[slot] = -1;
  }
  SOLO_BARRIER;
  PLAIN_LOOP
  for (int member = SOLO_FIRST; member < archived; member += SOLO_STEP)
    if (is_success(island->bits, member)) atomic_max(&island->claim[island->order[member]], member);
  SOLO_BARRIER;
  PLAIN_LOOP
  for (int member = SOLO_FIRST; member < archived; member += SOLO_STEP) {
    if (!is_success(island->bits, member) || island->claim[island->order[member]] != member) continue;
    PLAIN_LOOP
    for (int k = 0; k < FREE; ++k)
      island->archive[k * ARCHIVE + island->order[member]] = island->population[k * STRIDE + member];
  }
  if (run->lid == 0 && capacity > 1)
    shared->archive_size = min(capacity, before + number_of_bits(island->bits, (count + 31) >> 5));
  SOLO_BARRIER;
}

/// Parts of the sums over successes, one stripe a work-item: largest finite gain and largest CR.
static inline void find_largest(const Island *island, local Scratch *scratch, const Run *run, int count) {
  PLAIN_LOOP
  for (int stripe = SOLO_FIRST; stripe < SUM_STRIPES; stripe += SOLO_STEP) {
    real largest_gain = (real)0, largest_cr = (real)0;
    PLAIN_LOOP
    for (int member = stripe; member < count; member += SUM_STRIPES) {
      if (!is_success(island->bits, member)) continue;
      const real gain = island->gain[member];
      if (gain > largest_gain && gain < (real)INFINITY) largest_gain = gain;
      largest_cr = fmax(largest_cr, island->cr[member]);
    }
    scratch->largest[0][stripe] = largest_gain;
    scratch->largest[1][stripe] = largest_cr;
  }
}

static inline real largest_of(local const real *stripes) {
  real largest = stripes[0];
  PLAIN_LOOP
  for (int stripe = 1; stripe < SUM_STRIPES; ++stripe) largest = fmax(largest, stripes[stripe]);
  return largest;
}

/// Weighted sums of F, F^2, CR, CR^2 over the successes. Weights are gains over the largest one, so that nothing
/// overflows; a gain that is not finite counts as the largest finite one of the generation, 1 if there is none.
static inline void sum_successes(const Island *island, local Scratch *scratch, const Run *run, int count) {
  const real found = largest_of(scratch->largest[0]);
  const real largest = found > (real)0 ? found : (real)1;
  PLAIN_LOOP
  for (int stripe = SOLO_FIRST; stripe < SUM_STRIPES; stripe += SOLO_STEP) {
    real f1 = (real)0, f2 = (real)0, cr1 = (real)0, cr2 = (real)0;
    PLAIN_LOOP
    for (int member = stripe; member < count; member += SUM_STRIPES) {
      if (!is_success(island->bits, member)) continue;
      const real gain = island->gain[member];
      const real weight = gain < (real)INFINITY ? gain / largest : (real)1;
      const real f = island->f[member], cr = island->cr[member];
      f1 = f1 + weight * f;
      f2 = f2 + weight * f * f;
      cr1 = cr1 + weight * cr;
      cr2 = cr2 + weight * cr * cr;
    }
    scratch->sums[0][stripe] = f1;
    scratch->sums[1][stripe] = f2;
    scratch->sums[2][stripe] = cr1;
    scratch->sums[3][stripe] = cr2;
  }
}

/// A generation with successes moves one memory slot half way to the weighted Lehmer means; max CR = 0 counts as -1.
static inline void move_memory(local Shared *shared, local const Scratch *scratch) {
  const int slot = shared->memory_position;
  const real mean_f = scratch->sums[1][0] / scratch->sums[0][0];
  const real mean_cr = largest_of(scratch->largest[1]) > (real)0 ? scratch->sums[3][0] / scratch->sums[2][0] : (real)-1;
  shared->memory_f[slot] = (mean_f + shared->memory_f[slot]) * (real)0.5;
  shared->memory_cr[slot] = (mean_cr + shared->memory_cr[slot]) * (real)0.5;
  shared->memory_position = slot + 1 == MEMORY ? 0 : slot + 1;
}

/// The worst members leave one at a time, the lowest index among equals, the others keep their order. One work-item
/// takes them out of the energies and lists them in order[] (few leave, and rarely); the genes follow in parallel.
static inline void choose_leavers(const Island *island, local Shared *shared, ulong evaluations, ulong schedule) {
  const int wanted = (int)scheduled_population(MEMBERS, evaluations, schedule);
  int members = shared->members;
  int leavers = 0;
  PLAIN_LOOP
  for (; members > wanted; --members) {
    int worst = 0;
    PLAIN_LOOP
    for (int member = 1; member < members; ++member)
      if (ranks_before(island->energy[worst], island->energy[member])) worst = member;
    island->order[leavers++] = worst;
    PLAIN_LOOP
    for (int member = worst; member + 1 < members; ++member) island->energy[member] = island->energy[member + 1];
  }
  shared->leavers = leavers;
}

static inline void remove_genes(const Island *island, local const Shared *shared, const Run *run) {
  PLAIN_LOOP
  for (int k = SOLO_FIRST; k < FREE; k += SOLO_STEP) PLAIN_LOOP
  for (int leaver = 0; leaver < shared->leavers; ++leaver) PLAIN_LOOP
  for (int member = island->order[leaver]; member + 1 < shared->members - leaver; ++member)
    island->population[k * STRIDE + member] = island->population[k * STRIDE + member + 1];
}

/// What a generation leaves behind: memories, then population size and archive capacity.
static inline void adapt(const Island *island, local Shared *shared, local Scratch *scratch, const Run *run, int count,
                         ulong evaluations) {
  find_largest(island, scratch, run, count);
  SOLO_BARRIER;
  sum_successes(island, scratch, run, count);
  SOLO_BARRIER;
  sum_stripes(scratch, run);
  SOLO_BARRIER;
  if (run->lid == 0) {
    if (number_of_bits(island->bits, (count + 31) >> 5) > 0) move_memory(shared, scratch);
    choose_leavers(island, shared, evaluations, run->schedule);
  }
  SOLO_BARRIER;
  remove_genes(island, shared, run);
  SOLO_BARRIER;
  if (run->lid == 0) {
    shared->members -= shared->leavers;
    shared->archive_size = min(shared->archive_size, archive_capacity(shared->members));
  }
  SOLO_BARRIER;
}
