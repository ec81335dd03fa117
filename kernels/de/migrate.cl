// Members on the move. Emigrants of all islands are snapshotted first; then every island takes its candidates one at a
// time in the order of the host's list (by energy, then source). SELECTION: 0 best, 1 random. REPLACEMENT: 0
// worst_if_better, 1 worst, 2 random.

/// One group an island: its `migrants` emigrants to rows island * migrants ... of emigrants (FREE) and
/// emigrant_energies.
kernel __attribute__((reqd_work_group_size(ATTENDANTS, 1, 1))) void emigrate(
    global const real *populations, global const real *energies, global const long *counters, global real *emigrants,
    global real *emigrant_energies, const int migrants, const ulong seed, const uint first_island,
    const uint generation) {
  local Scratch scratch;
  const size_t i = get_group_id(0);
  const int lid = (int)get_local_id(0);
  global const real *energy = energies + i * STRIDE;
  const int members = (int)counters[i * COUNTERS + COUNT_MEMBERS];
  int previous = -1;
  int passed = 0;  // selection sampling (Knuth, TAOCP 2, algorithm S): member m leaves with chance needed / remaining
  PLAIN_LOOP
  for (int row = 0; row < migrants; ++row) {
#if SELECTION == 0
    // The next in rank behind `previous`: lowest (energy, index) that is above it.
    int found = -1;
    PLAIN_LOOP
    for (int member = lid; member < members; member += ATTENDANTS) {
      const bool behind = previous < 0 || ranks_before(energy[previous], energy[member]) ||
                          (!ranks_before(energy[member], energy[previous]) && member > previous);
      if (behind && (found < 0 || ranks_before(energy[member], energy[found]))) found = member;
    }
    found = first_of_attendants(&scratch, found, found < 0 ? (real)0 : energy[found], false, lid);
    ATTENDANTS_BARRIER;
#else
    int found = passed;
    while ((int)bounded(draw_word(seed, DRAW_EMIGRATE, (uint)found, 0u, generation, first_island + (uint)i),
                        (uint)(members - found)) >= migrants - row)
      ++found;
    passed = found + 1;
#endif
    previous = found;
    const size_t place = i * (size_t)migrants + (size_t)row;
    PLAIN_LOOP
    for (int k = lid; k < FREE; k += ATTENDANTS)
      emigrants[place * FREE + (size_t)k] = populations[(i * FREE + (size_t)k) * STRIDE + (size_t)found];
    if (lid == 0) emigrant_energies[place] = energy[found];
  }
}

/// One group an island: candidates list[first[i] .. first[i] + number[i]) are rows of emigrants; own rows are skipped.
/// accepted (one a list entry of this island, from flags[i] on) tells which ones came in.
kernel __attribute__((reqd_work_group_size(ATTENDANTS, 1, 1))) void immigrate(
    global real *populations, global real *energies, global const long *counters, global const real *emigrants,
    global const real *emigrant_energies, global const int *list, global const int *sources, global const int *first,
    global const int *number, global const long *flags, global uchar *accepted, const ulong seed,
    const uint first_island, const uint generation) {
  local Scratch scratch;
  const size_t i = get_group_id(0);
  const int lid = (int)get_local_id(0);
  const int members = (int)counters[i * COUNTERS + COUNT_MEMBERS];
  global real *energy = energies + i * STRIDE;
  PLAIN_LOOP
  for (int c = 0; c < number[i]; ++c) {
    const int entry = first[i] + c;
    bool comes = sources[entry] != (int)(first_island + (uint)i);
    const int row = list[entry];
#if REPLACEMENT == 2
    const int leaves =
        (int)bounded(draw_word(seed, DRAW_IMMIGRATE, (uint)c, 0u, generation, first_island + (uint)i), (uint)members);
#else
    const int leaves = extreme_global(energy, members, true, &scratch, lid);
#endif
#if REPLACEMENT == 0
    comes = comes && ranks_before(emigrant_energies[row], energy[leaves]);
#endif
    ATTENDANTS_BARRIER;
    if (comes) {
      PLAIN_LOOP
      for (int k = lid; k < FREE; k += ATTENDANTS)
        populations[(i * FREE + (size_t)k) * STRIDE + (size_t)leaves] = emigrants[(size_t)row * FREE + (size_t)k];
      if (lid == 0) energy[leaves] = emigrant_energies[row];
    }
    if (lid == 0) accepted[flags[i] + c] = comes ? 1 : 0;
    ATTENDANTS_BARRIER;
  }
}
