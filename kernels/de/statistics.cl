// What the host wants to know of an island: best member, and mean and spread of its finite energies.

enum { STATISTIC_BEST, STATISTIC_MEAN, STATISTIC_STD, STATISTIC_FINITE, STATISTICS };

/// One group an island. statistics[i] = best energy, mean and standard deviation (over n) of the finite energies, their
/// number; best_members[i] = the best member.
kernel __attribute__((reqd_work_group_size(ATTENDANTS, 1, 1))) void island_statistics(global const real *energies,
                                                                                      global const long *counters,
                                                                                      global real *statistics,
                                                                                      global int *best_members) {
  local Scratch scratch;
  const size_t i = get_group_id(0);
  const int lid = (int)get_local_id(0);
  global const real *energy = energies + i * STRIDE;
  const int members = (int)counters[i * COUNTERS + COUNT_MEMBERS];
  const int best = extreme_global(energy, members, false, &scratch, lid);
  if (lid == 0) {
    best_members[i] = best;
    statistics[i * STATISTICS + STATISTIC_BEST] = energy[best];
  }
  Run place;
  place.lid = lid;
  const Run *run = &place;
  real mean = (real)0;
  PLAIN_LOOP
  for (int pass = 0; pass < 2; ++pass) {  // mean first, then squared distances from it
    PLAIN_LOOP
    for (int stripe = SOLO_FIRST; stripe < SUM_STRIPES; stripe += SOLO_STEP) {
      real sum = (real)0, finite = (real)0;
      PLAIN_LOOP
      for (int member = stripe; member < members; member += SUM_STRIPES) {
        const real e = energy[member];
        if (!(fabs(e) < (real)INFINITY)) continue;
        sum = sum + (pass == 0 ? e : (e - mean) * (e - mean));
        finite = finite + (real)1;
      }
      scratch.sums[0][stripe] = sum;
      scratch.sums[1][stripe] = finite;
      scratch.sums[2][stripe] = (real)0;
      scratch.sums[3][stripe] = (real)0;
    }
    SOLO_BARRIER;
    sum_stripes(&scratch, run);
    const real finite = scratch.sums[1][0];
    const real average = finite > (real)0 ? scratch.sums[0][0] / finite : (real)NAN;
    if (pass == 0) mean = average;
    if (lid == 0) {
      statistics[i * STATISTICS + (pass == 0 ? STATISTIC_MEAN : STATISTIC_STD)] = pass == 0 ? average : sqrt(average);
      statistics[i * STATISTICS + STATISTIC_FINITE] = finite;
    }
    SOLO_BARRIER;
  }
}
