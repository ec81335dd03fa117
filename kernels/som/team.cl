// TEAM work-items that train one map together on a GPU, and the neuron that is nearest among all of theirs.
// On NVIDIA (ATOLL_PTX) the members of a warp talk through registers; elsewhere through local memory and barriers.

#ifdef ATOLL_SINGLE
typedef uint key_type;
#define KEY_OF(d) as_uint(d)
#else
typedef ulong key_type;
#define KEY_OF(d) as_ulong(d)
#endif

/// A neuron and its distance, whose bits sort like the distance does. `place` is what the team wants to know of the
/// nearest one: first_of_team gives it to every member.
typedef struct {
  key_type key;
  uint neuron;
  int place;
} Candidate;

ATOLL_FUNCTION int is_before(Candidate a, Candidate b) {
  return a.key < b.key || (a.key == b.key && a.neuron < b.neuron);
}

#ifdef ATOLL_PTX
#define WARP 32u
#define WARP_TEAM (TEAM < 32 ? TEAM : 32)

ATOLL_FUNCTION uint warp_min(uint value) {
#if TEAM >= 32
  uint result;
  ATOLL_ASM volatile("redux.sync.min.u32 %0, %1, 0xffffffff;" : "=r"(result) : "r"(value));
  return result;
#else
#pragma unroll
  for (uint step = TEAM / 2; step > 0; step /= 2) {
    uint other;
    ATOLL_ASM volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(value), "r"(step));
    value = other < value ? other : value;
  }
  return value;
#endif
}

/// Bit i: what work-item i of this warp says.
ATOLL_FUNCTION uint warp_ballot(uint yes) {
  uint bits;
  ATOLL_ASM volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(bits)
                     : "r"(yes));
  return bits;
}

/// Of a ballot: bit i, what member i of the own team within this warp says.
ATOLL_FUNCTION uint of_team(uint bits) {
#if TEAM < 32
  return (bits >> ((uint)get_local_id(0) & (WARP - TEAM))) & ((1u << TEAM) - 1u);
#else
  return bits;
#endif
}

ATOLL_FUNCTION uint warp_from(uint value, uint member) {
  uint result;
#if TEAM < 32
  member += (uint)get_local_id(0) & (WARP - TEAM);
#endif
  ATOLL_ASM volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(result) : "r"(value), "r"(member));
  return result;
}

ATOLL_FUNCTION void warp_sync(void) { ATOLL_ASM volatile("bar.warp.sync 0xffffffff;" : : : "memory"); }

/// The member of this warp whose candidate is first; `smallest` gets its key.
ATOLL_FUNCTION uint holder_in_warp(Candidate mine, key_type *smallest) {
#ifdef ATOLL_SINGLE
  *smallest = warp_min(mine.key);
#else
  const uint high = warp_min((uint)(mine.key >> 32));
  const uint low = warp_min((uint)(mine.key >> 32) == high ? (uint)mine.key : 0xffffffffu);
  *smallest = ((key_type)high << 32) | low;
#endif
  uint holders = warp_ballot(mine.key == *smallest);
  // A tie: the lowest neuron. All teams of the warp take the branch together, since everyone has to be at each of these
  // instructions: one team alone would meet the others at another instruction and get numbers without meaning.
  if (popcount(holders) > WARP / WARP_TEAM) {
    const uint neuron = warp_min(mine.key == *smallest ? mine.neuron : 0xffffffffu);
    holders = warp_ballot(mine.key == *smallest && mine.neuron == neuron);
  }
  holders = of_team(holders);
  return 31u - clz(holders & (0u - holders));
}
#endif

#if defined(ATOLL_PTX) && TEAM <= 32
#define TEAM_SLOTS 1
#define TEAM_SYNC() warp_sync()
ATOLL_FUNCTION int first_of_team(Candidate mine, local Candidate *slots, uint member, uint turn) {
  key_type smallest;
  return (int)warp_from((uint)mine.place, holder_in_warp(mine, &smallest));
}
#elif defined(ATOLL_PTX)
#define TEAM_SLOTS (2 * (TEAM / 32))
#define TEAM_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
/// Two sets of slots take turns, so that one barrier a step is enough.
ATOLL_FUNCTION int first_of_team(Candidate mine, local Candidate *slots, uint member, uint turn) {
  local Candidate *mailbox = slots + (turn & 1u) * (TEAM / 32);
  Candidate first;
  const uint holder = holder_in_warp(mine, &first.key);
  if (member % 32u == holder) mailbox[member / 32u] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  first = mailbox[0];
#pragma unroll
  for (uint i = 1; i < TEAM / 32; ++i)
    if (is_before(mailbox[i], first)) first = mailbox[i];
  return first.place;
}
#else
#define TEAM_SLOTS TEAM
#define TEAM_SYNC() barrier(CLK_LOCAL_MEM_FENCE)
ATOLL_FUNCTION int first_of_team(Candidate mine, local Candidate *slots, uint member, uint turn) {
  barrier(CLK_LOCAL_MEM_FENCE);
  slots[member] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint half_size = TEAM / 2; half_size > 0; half_size /= 2) {
    if (member < half_size && is_before(slots[member + half_size], slots[member]))
      slots[member] = slots[member + half_size];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return slots[0].place;
}
#endif
