// Genes that left the box. BOUNDS: 0 midpoint, 1 resample, 2 reflect, 3 clip.

static inline real into_box(real v, real parent, real lower, real upper) {
#if BOUNDS == 0
  return bound_midpoint(v, parent, lower, upper);
#elif BOUNDS == 2
  return bound_reflect(v, lower, upper);
#elif BOUNDS == 3
  return bound_clip(v, lower, upper);
#else
  return v;  // repaired afterwards, by resample_genes
#endif
}

/// SciPy's rule: a gene outside is drawn anew from the box. A phase of its own, because few trials need it.
static inline void resample_genes(const Island *island, const Run *run, int member, uint generation) {
  for (int k = 0; k < FREE; ++k) {
    const real v = island->trial[k * STRIDE + member];
    const real lower = run->lower[k], upper = run->upper[k];
    if (!(v >= lower) || v > upper) {
      const uint word = draw_word(run->seed, DRAW_RESAMPLE, (uint)k, (uint)member, generation, run->island);
      island->trial[k * STRIDE + member] = point_in_box(uniform(word), lower, upper);
    }
  }
}
