// Group reductions with one answer whatever the size of the group: the lowest index wins among equals, and sums over
// members always have the same shape.

#define SUM_STRIPES 32

// Scratch of the reductions, in local memory.
typedef struct {
  real value[GROUP];
  int index[GROUP];
  real sums[4][SUM_STRIPES];
} Scratch;

// Member that ranks first (or last, `worst`) of energy[0 .. count), lowest index among equals; the same on all work-items.
// One definition an address space: OpenCL C 1.2 has no generic pointers.
#define DEFINE_EXTREME(name, space)                                                                             \
  static inline int name(space const real *energy, int count, bool worst, local Scratch *scratch, int lid) {    \
    int found = lid < count ? lid : -1;                                                                         \
    for (int member = lid + GROUP; member < count; member += GROUP) {                                           \
      const real a = energy[member], b = energy[found];                                                         \
      if (worst ? ranks_before(b, a) : ranks_before(a, b)) found = member;                                      \
    }                                                                                                           \
    scratch->index[lid] = found;                                                                                \
    barrier(ALL_FENCES);                                                                                        \
    for (int half_ = REDUCE_START; half_ > 0; half_ >>= 1) {                                                    \
      if (lid < half_ && lid + half_ < GROUP) {                                                                 \
        const int mine = scratch->index[lid], other = scratch->index[lid + half_];                              \
        if (other >= 0) {                                                                                       \
          const real a = energy[other], b = energy[mine];                                                       \
          const bool wins = worst ? ranks_before(b, a) : ranks_before(a, b);                                    \
          const bool loses = worst ? ranks_before(a, b) : ranks_before(b, a);                                   \
          if (wins || (!loses && other < mine)) scratch->index[lid] = other;                                    \
        }                                                                                                       \
      }                                                                                                         \
      barrier(ALL_FENCES);                                                                                      \
    }                                                                                                           \
    const int result = scratch->index[0];                                                                       \
    barrier(ALL_FENCES);                                                                                        \
    return result;                                                                                              \
  }
DEFINE_EXTREME(extreme_member, SPACE)
DEFINE_EXTREME(extreme_global, global)

/// Largest of the group's values.
static inline real group_max(real mine, local Scratch *scratch, int lid) {
  scratch->value[lid] = mine;
  barrier(ALL_FENCES);
  for (int half_ = REDUCE_START; half_ > 0; half_ >>= 1) {
    if (lid < half_ && lid + half_ < GROUP) {
      const real other = scratch->value[lid + half_];
      if (other > scratch->value[lid]) scratch->value[lid] = other;
    }
    barrier(ALL_FENCES);
  }
  const real result = scratch->value[0];
  barrier(ALL_FENCES);
  return result;
}

/// Adds up scratch->sums[0 .. 4) over their stripes by halving; the totals land in stripe 0.
static inline void sum_stripes(local Scratch *scratch, int lid) {
  for (int half_ = SUM_STRIPES / 2; half_ > 0; half_ >>= 1) {
    for (int at = lid; at < 4 * half_; at += GROUP) {
      const int which = at / half_, stripe = at % half_;
      scratch->sums[which][stripe] = scratch->sums[which][stripe] + scratch->sums[which][stripe + half_];
    }
    barrier(ALL_FENCES);
  }
}
