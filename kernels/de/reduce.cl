// Group reductions with one answer whatever the size of the group: the lowest index wins among equals, and sums over
// members always have the same shape.

#define SUM_STRIPES 32
#define SUMS 4

// Scratch of the reductions, in local memory.
typedef struct {
  real value[GROUP];
  int index[GROUP];
  real sums[SUMS][SUM_STRIPES];
  real largest[2][SUM_STRIPES];
} Scratch;

// No barrier stands behind a branch here: PoCL copies all that follows such a barrier once a branch, and a kernel of
// ten of them compiles for a minute. On CPUs one work-item combines the group's parts; elsewhere they are halved.

static inline bool wins_place(real a, int a_index, real b, int b_index, bool worst) {
  const bool better = worst ? ranks_before(b, a) : ranks_before(a, b);
  const bool worse = worst ? ranks_before(a, b) : ranks_before(b, a);
  return better || (!worse && a_index < b_index);
}

#ifdef LANES
#define REDUCE_NEXT(half_) 0
#define REDUCE_END(half_) GROUP
#define REDUCE_BARRIER
#else
#define REDUCE_NEXT(half_) ((half_) >> 1)
#define REDUCE_END(half_) min(2 * (half_), GROUP)
#define REDUCE_BARRIER barrier(ALL_FENCES)
#endif

// Of one candidate a work-item (index < 0: none) the one that ranks first, or last (`worst`); the same on all
// work-items. Lowest index among equals. The scratch is free again behind the next barrier.
static inline int first_place(local Scratch *scratch, int index, real value, bool worst, int lid) {
  scratch->index[lid] = index;
  scratch->value[lid] = value;
  barrier(ALL_FENCES);
  for (int half_ = REDUCE_START; half_ > 0; half_ = REDUCE_NEXT(half_)) {
    const int end = REDUCE_END(half_);
    for (int other = lid + half_; lid < half_ && other < end; other += half_) {
      const int theirs = scratch->index[other];
      if (theirs < 0) continue;
      const int mine = scratch->index[lid];
      if (mine < 0 || wins_place(scratch->value[other], theirs, scratch->value[lid], mine, worst)) {
        scratch->index[lid] = theirs;
        scratch->value[lid] = scratch->value[other];
      }
    }
    REDUCE_BARRIER;
  }
  PHASE_END;
  return scratch->index[0];
}

// The kernels between launches have ATTENDANTS work-items a group: one on CPUs, where nothing is left to reduce.
#ifdef LANES
#define ATTENDANTS_BARRIER
#define first_of_attendants(scratch, index, value, worst, lid) (index)
#else
#define ATTENDANTS_BARRIER barrier(ALL_FENCES)
#define first_of_attendants first_place
#endif

// Member that ranks first (or last, `worst`) of energy[0 .. count), lowest index among equals; the same on all
// work-items. One definition an address space: OpenCL C 1.2 has no generic pointers.
#define DEFINE_EXTREME(name, space, work_items, first_of)                                                    \
  static inline int name(space const real *energy, int count, bool worst, local Scratch *scratch, int lid) { \
    int found = lid < count ? lid : -1;                                                                      \
    PLAIN_LOOP                                                                                               \
    for (int member = lid + work_items; member < count; member += work_items)                                \
      if (wins_place(energy[member], member, energy[found], found, worst)) found = member;                   \
    return first_of(scratch, found, found < 0 ? (real)0 : energy[found], worst, lid);                        \
  }
DEFINE_EXTREME(extreme_member, SPACE, GROUP, first_place)
DEFINE_EXTREME(extreme_global, global, ATTENDANTS, first_of_attendants)

/// Adds up scratch->sums[0 .. SUMS) over their stripes by halving; the totals land in stripe 0. Part of a SOLO stretch.
static inline void sum_stripes(local Scratch *scratch, const Run *run) {
  PLAIN_LOOP
  for (int half_ = SUM_STRIPES / 2; half_ > 0; half_ >>= 1) {
    PLAIN_LOOP
    for (int at = SOLO_FIRST; at < SUMS * half_; at += SOLO_STEP) {
      const int which = at / half_, stripe = at % half_;
      scratch->sums[which][stripe] = scratch->sums[which][stripe] + scratch->sums[which][stripe + half_];
    }
    SOLO_BARRIER;
  }
}
