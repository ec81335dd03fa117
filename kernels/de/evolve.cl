// The kernels of differential evolution. Shape A, `evolve`: one group is one island, many generations a launch.
// Shape B, `breed` / `evaluate` / `settle`: one launch a phase, the evaluation spread over the whole device.
// Both run the same functions and give the same bits.

#define ISLAND_ARGUMENTS                                                                                \
  global real *populations, global real *energies, global real *trials, global real *trial_energies,    \
      global real *gains, global real *fs, global real *crs, global int *orders, global real *archives, \
      global int *claims, global uint *all_bits, global real *memories, global long *counters,          \
      global const ulong *run_numbers, global const real *run_reals, global const real *box,            \
      global const real *x_limits, global const real *data
#define ISLAND_NAMES                                                                                           \
  populations, energies, trials, trial_energies, gains, fs, crs, orders, archives, claims, all_bits, memories, \
      counters, run_numbers, run_reals, box, x_limits, data

// counters of an island, kept on the device
enum { COUNT_MEMBERS, COUNT_ARCHIVE, COUNT_POSITION, COUNT_NAN, COUNT_INF, COUNT_REACHED_NFEV, COUNTERS };

// Both fill what they are given: a struct returned by value brings Oclgrind to its knees.
static inline void load_run(Run *run, ISLAND_ARGUMENTS) {
  run->seed = run_numbers[0];
  run->schedule = run_numbers[1];
  run->island = (uint)run_numbers[2] + (uint)get_group_id(0);
  run->lid = (int)get_local_id(0);
  run->f_low = run_reals[0];
  run->f_high = run_reals[1];
  run->crossover_probability = run_reals[2];
  run->value_to_reach = run_reals[3];
  run->lower = box;
  run->upper = box + FREE;
  run->x_limits = x_limits;
  run->data = data;
}

static inline void load_shared(local Shared *shared, global const real *memories, global const long *counters,
                               int lid) {
  global const long *mine = counters + get_group_id(0) * COUNTERS;
  global const real *memory = memories + get_group_id(0) * 2 * MEMORY;
  PLAIN_LOOP
  for (int slot = lid; slot < MEMORY; slot += GROUP) {
    shared->memory_f[slot] = memory[slot];
    shared->memory_cr[slot] = memory[MEMORY + slot];
  }
  if (lid == 0) {
    shared->members = (int)mine[COUNT_MEMBERS];
    shared->archive_size = (int)mine[COUNT_ARCHIVE];
    shared->memory_position = (int)mine[COUNT_POSITION];
    shared->nan = 0;
    shared->inf = 0;
    shared->reached = INT_MAX;
    shared->hit = mine[COUNT_REACHED_NFEV] >= 0 ? 1 : 0;
    shared->best = 0;
    shared->search_best = 1;
  }
  barrier(ALL_FENCES);
}

static inline void store_shared(local const Shared *shared, global real *memories, global long *counters, int lid) {
  global long *mine = counters + get_group_id(0) * COUNTERS;
  global real *memory = memories + get_group_id(0) * 2 * MEMORY;
  PLAIN_LOOP
  for (int slot = lid; slot < MEMORY; slot += GROUP) {
    memory[slot] = shared->memory_f[slot];
    memory[MEMORY + slot] = shared->memory_cr[slot];
  }
  if (lid == 0) {
    mine[COUNT_MEMBERS] = shared->members;
    mine[COUNT_ARCHIVE] = shared->archive_size;
    mine[COUNT_POSITION] = shared->memory_position;
    mine[COUNT_NAN] += shared->nan;
    mine[COUNT_INF] += shared->inf;
  }
}

/// Notes the evaluation at which the value to reach was first met.
static inline void note_reached(local Shared *shared, global long *counters, int lid, ulong evaluations) {
  if (lid == 0 && shared->hit == 0 && shared->reached != INT_MAX) {
    shared->hit = 1;
    counters[get_group_id(0) * COUNTERS + COUNT_REACHED_NFEV] = (long)evaluations + shared->reached + 1;
  }
  barrier(ALL_FENCES);
}

static inline real trial_energy_of(const Island *island, int member, const Run *run) {
  real u[FREE], x[ATOLL_DIMENSION];
  UNROLL_GENES
  for (int k = 0; k < FREE; ++k) u[k] = TRIAL(island, k, member);
  decode(u, x, run->x_limits);
  return evaluate(x, run->data);
}

/// Trials of the first `count` members, all but their energies.
static inline void make_trials(const Island *island, local Shared *shared, local Scratch *scratch, const Run *run,
                               int count, uint generation, ulong evaluations) {
  prepare_generation(island, shared, scratch, run, generation);
  MEMBERS_BEGIN(member, count)
    choose_parameters(island, shared, run, member, generation, evaluations);
    // No phase ends here: its vector code would cost a CPU's compiler half a second and gain nothing.
    make_trial(island, shared, run, member, generation, evaluations);
#if BOUNDS == 1
    PHASE_END;
    resample_genes(island, run, member, generation);
#endif
  MEMBERS_END
  barrier(ALL_FENCES);
}

static inline void place_island(Island *island, ISLAND_ARGUMENTS) {
  const size_t i = get_group_id(0);
#ifndef ISLAND_IS_LOCAL
  island->population = populations + i * FREE * STRIDE;
  island->trial = trials + i * FREE * STRIDE;
  island->energy = energies + i * STRIDE;
  island->trial_energy = trial_energies + i * STRIDE;
  island->gain = gains + i * STRIDE;
  island->f = fs + i * STRIDE;
  island->cr = crs + i * STRIDE;
  island->order = orders + i * STRIDE;
  island->archive = archives + i * FREE * ARCHIVE;
  island->claim = claims + i * ARCHIVE;
  island->bits = all_bits + i * ((STRIDE + 31) / 32);
#endif
}

#ifdef SHAPE_A
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void evolve(ISLAND_ARGUMENTS, const uint first_generation,
                                                                      const uint generations,
                                                                      const ulong evaluations_before,
                                                                      const ulong budget) {
  local Shared shared;
  local Scratch scratch;
  Run run_value;
  load_run(&run_value, ISLAND_NAMES);
  const Run *run = &run_value;
  Island island;
  place_island(&island, ISLAND_NAMES);
  load_shared(&shared, memories, counters, run->lid);
#ifdef ISLAND_IS_LOCAL
  local real local_population[FREE * STRIDE], local_energy[STRIDE], local_trial_energy[STRIDE];
  island.population = local_population;
#ifdef TRIAL_IS_PRIVATE
  real own_trial[FREE];
  island.own_trial = own_trial;
#else
  local real local_trial[FREE * STRIDE];
  island.trial = local_trial;
#endif
  island.energy = local_energy;
  island.trial_energy = local_trial_energy;
#if ADAPTIVE
  local real local_gain[STRIDE], local_f[STRIDE], local_cr[STRIDE], local_archive[FREE * ARCHIVE];
  local int local_order[STRIDE], local_claim[ARCHIVE];
  local uint local_bits[(STRIDE + 31) / 32];
  island.gain = local_gain;
  island.f = local_f;
  island.cr = local_cr;
  island.archive = local_archive;
  island.order = local_order;
  island.claim = local_claim;
  island.bits = local_bits;
#endif
  global real *stored = populations + get_group_id(0) * FREE * STRIDE;
  global real *stored_energy = energies + get_group_id(0) * STRIDE;
  global real *stored_archive = archives + get_group_id(0) * FREE * ARCHIVE;
  PLAIN_LOOP
  for (int at = run->lid; at < FREE * STRIDE; at += GROUP) local_population[at] = stored[at];
  PLAIN_LOOP
  for (int at = run->lid; at < STRIDE; at += GROUP) local_energy[at] = stored_energy[at];
#if ADAPTIVE
  PLAIN_LOOP
  for (int at = run->lid; at < FREE * ARCHIVE; at += GROUP) local_archive[at] = stored_archive[at];
#endif
  barrier(ALL_FENCES);
#endif
  ulong evaluations = evaluations_before;
  PLAIN_LOOP
  for (uint generation = first_generation; generation < first_generation + generations; ++generation) {
    const ulong left = budget - evaluations;
    const int count = left < (ulong)shared.members ? (int)left : shared.members;
    make_trials(&island, &shared, &scratch, run, count, generation, evaluations);
    MEMBERS_BEGIN(member, count)
      island.trial_energy[member] = trial_energy_of(&island, member, run);
    MEMBERS_END
    barrier(ALL_FENCES);
    select_survivors(&island, &shared, &scratch, run, count, generation, evaluations);
    note_reached(&shared, counters, run->lid, evaluations);
    evaluations += (ulong)count;
  }
#ifdef ISLAND_IS_LOCAL
  PLAIN_LOOP
  for (int at = run->lid; at < FREE * STRIDE; at += GROUP) stored[at] = local_population[at];
  PLAIN_LOOP
  for (int at = run->lid; at < STRIDE; at += GROUP) stored_energy[at] = local_energy[at];
#if ADAPTIVE
  PLAIN_LOOP
  for (int at = run->lid; at < FREE * ARCHIVE; at += GROUP) stored_archive[at] = local_archive[at];
#endif
#endif
  store_shared(&shared, memories, counters, run->lid);
}
#endif

#ifdef SHAPE_B
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void breed(ISLAND_ARGUMENTS, const uint generation,
                                                                     const int count, const ulong evaluations) {
  local Shared shared;
  local Scratch scratch;
  Run run_value;
  load_run(&run_value, ISLAND_NAMES);
  Island island;
  place_island(&island, ISLAND_NAMES);
  load_shared(&shared, memories, counters, run_value.lid);
  make_trials(&island, &shared, &scratch, &run_value, count, generation, evaluations);
}

kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void settle(ISLAND_ARGUMENTS, const uint generation,
                                                                      const int count, const ulong evaluations) {
  local Shared shared;
  local Scratch scratch;
  Run run_value;
  load_run(&run_value, ISLAND_NAMES);
  Island island;
  place_island(&island, ISLAND_NAMES);
  load_shared(&shared, memories, counters, run_value.lid);
  select_survivors(&island, &shared, &scratch, &run_value, count, generation, evaluations);
  note_reached(&shared, counters, run_value.lid, evaluations);
  store_shared(&shared, memories, counters, run_value.lid);
}
#endif
