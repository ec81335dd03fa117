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

/// With the rule "resample" a trial remembers, in place of its energy, whether a gene waits for resample_genes.
static inline void note_outside(int *outside, bool crosses, real v, real lower, real upper) {
#if BOUNDS == 1
  *outside |= crosses && (!(v >= lower) || v > upper) ? 1 : 0;
#endif
}

static inline void mark_outside(const Island *island, int member, int outside) {
#if BOUNDS == 1
  island->trial_energy[member] = (real)outside;
#endif
}

/// SciPy's rule: a gene outside is drawn anew from the box. A phase of its own, because few trials need it.
static inline void resample_genes(const Island *island, const Run *run, int member, uint generation) {
  if (island->trial_energy[member] == (real)0) return;
#ifdef TRIAL_IS_PRIVATE
  UNROLL_GENES  // registers have no index
#endif
  for (int k = 0; k < FREE; ++k) {
    const real v = TRIAL(island, k, member);
    const real lower = run->lower[k], upper = run->upper[k];
    if (!(v >= lower) || v > upper) {
      const uint word = draw_word(run->seed, DRAW_RESAMPLE, (uint)k, (uint)member, generation, run->island);
      TRIAL(island, k, member) = point_in_box(uniform(word), lower, upper);
    }
  }
}
