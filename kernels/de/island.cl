// How an island lies in memory, and what one generation shares. Built with
//   FREE        searched coordinates          MEMBERS     largest population
//   STRIDE      members padded to the group   GROUP       work-items of a group
//   ARCHIVE     largest archive, at least 1   MEMORY      slots of F and CR memory, at least 1
//   SPACE       local where an island fits local memory, else global
//   LANES       defined on CPUs: phases are split by barriers so that the work-item loop of each becomes vector code

typedef struct {
  SPACE real *population;  // [FREE][STRIDE]
  SPACE real *trial;       // [FREE][STRIDE]
#ifdef TRIAL_IS_PRIVATE
  real *own_trial;  // [FREE]: the trial of the one member of this work-item
#endif
  SPACE real *energy;        // [STRIDE]
  SPACE real *trial_energy;  // [STRIDE]
  SPACE real *gain;          // [STRIDE]: old energy - trial energy of a success, 0 otherwise
  SPACE real *f, *cr;        // [STRIDE]: what a member's trial was made with
  SPACE int *order;          // [STRIDE]: members by rank; during selection: archive slots
  SPACE real *archive;       // [FREE][ARCHIVE]
  SPACE int *claim;          // [ARCHIVE]: the last member that wants a slot
  SPACE uint *bits;          // [(STRIDE + 31) / 32]: members with a success
} Island;

// TRIAL_IS_PRIVATE: every work-item has one member at most and keeps its trial in registers.
#ifdef TRIAL_IS_PRIVATE
#define TRIAL(island, k, member) ((island)->own_trial[k])
#else
#define TRIAL(island, k, member) ((island)->trial[(k)*STRIDE + (member)])
#endif

// Numbers that all work-items of an island share during a launch; kept in global memory between launches.
typedef struct {
  real memory_f[MEMORY], memory_cr[MEMORY];
  int members, archive_size, memory_position;
  int leavers;          // members that a shrinking population loses this generation
  int best;             // classic: best member at the start of the generation
  int search_best;      // classic: 1 when the best may be another one now
  real best_energy, f;  // classic: the best's energy, F of the generation
  int nan, inf;         // energies of this launch
  int reached;          // lowest member of this generation at or below the value to reach
  int hit;              // 1 once the value to reach was met
} Shared;

// What stays the same during a launch.
typedef struct {
  ulong seed, schedule;
  uint island;  // global id
  int lid;
  real f_low, f_high, crossover_probability, value_to_reach;
  global const real *lower, *upper;  // [FREE], of the search space
  global const real *x_limits;       // [2][D]: min and max in the user's units
  global const real *data;
} Run;

#define ALL_FENCES (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#ifdef LANES
// Loops outside of the hot path stay plain loops: a CPU compiler would spend a second on unrolling them.
#define PLAIN_LOOP _Pragma("clang loop vectorize(disable) unroll(disable)")
#define PHASE_END barrier(ALL_FENCES)
#else
#define PLAIN_LOOP
#define PHASE_END
#endif

// One pass over the members. CPUs take whole groups of lanes, also beyond `count` (that work is thrown away), so that
// no lane is masked; GPUs let idle work-items rest.
#ifdef LANES
#define MEMBERS_BEGIN(member, count)                     \
  for (int base_ = 0; base_ < (count); base_ += GROUP) { \
    const int member = base_ + run->lid;
#else
#define MEMBERS_BEGIN(member, count) for (int member = run->lid; member < (count); member += GROUP) {
#endif
#define MEMBERS_END }

// Bookkeeping between generations is not vector code. On CPUs one work-item does it alone, in one stretch without
// barriers (each would cost the compiler a tenth of a second); elsewhere all share it.
#ifdef LANES
#define SOLO_BEGIN if (run->lid == 0) {
#define SOLO_END \
  }              \
  barrier(ALL_FENCES);
#define SOLO_BARRIER
#define SOLO_FIRST 0
#define SOLO_STEP 1
#else
#define SOLO_BEGIN {
#define SOLO_END \
  }              \
  barrier(ALL_FENCES);
#define SOLO_BARRIER barrier(ALL_FENCES)
#define SOLO_FIRST run->lid
#define SOLO_STEP GROUP
#endif
