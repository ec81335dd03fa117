// First populations. INITIAL: 0 latin_hypercube, 1 points shifted by a random vector (sobol, halton), 2 uniform.
// One work-item fills one coordinate of one island.

kernel void initialize(global real *populations, global const real *base_points, global const real *box,
                       const ulong seed, const uint first_island) {
  const int k = (int)get_global_id(0);
  const size_t i = get_global_id(1);
  if (k >= FREE) return;
  const uint island = first_island + (uint)i;
  global real *gene = populations + (i * FREE + (size_t)k) * STRIDE;
  const real lower = box[k], upper = box[FREE + k];
#if INITIAL == 0
  // A random permutation of the strata (Fisher and Yates), then a random place within each.
  PLAIN_LOOP
  for (int member = 0; member < MEMBERS; ++member) gene[member] = (real)member;
  PLAIN_LOOP
  for (int member = MEMBERS - 1; member > 0; --member) {
    const int other = (int)bounded(draw_word(seed, DRAW_SHUFFLE, (uint)member, (uint)k, 0u, island), (uint)member + 1u);
    const real held = gene[member];
    gene[member] = gene[other];
    gene[other] = held;
  }
#elif INITIAL == 1
  const real shift = uniform_fine(draw_word(seed, DRAW_SHIFT, 2u * (uint)k, 0u, 0u, island),
                                  draw_word(seed, DRAW_SHIFT, 2u * (uint)k + 1u, 0u, 0u, island));
#endif
  PLAIN_LOOP
  for (int member = 0; member < MEMBERS; ++member) {
#if INITIAL == 1
    real u = base_points[member * FREE + k] + shift;
    u = u >= (real)1 ? u - (real)1 : u;
#else
    real u = uniform_fine(draw_word(seed, DRAW_INITIAL, 2u * (uint)k, (uint)member, 0u, island),
                          draw_word(seed, DRAW_INITIAL, 2u * (uint)k + 1u, (uint)member, 0u, island));
#endif
#if INITIAL == 0
    u = (gene[member] + u) / (real)MEMBERS;
#endif
    gene[member] = point_in_box(u, lower, upper);
  }
  PLAIN_LOOP
  for (int member = MEMBERS; member < STRIDE; ++member) gene[member] = lower;
}

/// Counts what the first population showed: NaN, inf, and the first member at or below the value to reach.
kernel void count_first(global const real *energies, global long *counters, const int evaluated,
                        const real value_to_reach, const uint islands) {
  const size_t i = get_global_id(0);
  if (i >= islands) return;
  global long *mine = counters + i * COUNTERS;
  PLAIN_LOOP
  for (int member = 0; member < evaluated; ++member) {
    const real energy = energies[i * STRIDE + (size_t)member];
    if (energy != energy) mine[COUNT_NAN] += 1;
    if (energy == (real)INFINITY || energy == (real)-INFINITY) mine[COUNT_INF] += 1;
    if (energy <= value_to_reach && mine[COUNT_REACHED_NFEV] < 0) mine[COUNT_REACHED_NFEV] = member + 1;
  }
}
