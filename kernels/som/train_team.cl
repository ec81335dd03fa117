// Online training on a GPU: TEAM work-items train one map of at most TEAM * EACH neurons, each with EACH of them in
// registers; TEAMS maps share a work-group and, where they fit (CACHED), the points in local memory.
// Neuron `member + e * TEAM` is number e of a member. All maps of a launch have the same number of epochs.

#ifdef CACHED
#define POINT_MEMORY local
#else
#define POINT_MEMORY global
#endif
// Three columns take the place of four, which one load fetches. Local memory that the host sizes is aligned as the type
// of the argument asks and no better, so that type is the one which is loaded.
#if defined(CACHED) && COLUMNS == 3
#define POINT_STRIDE 4
#if defined(ATOLL_SINGLE)
typedef float4 CachedCell;
#else
typedef double4 CachedCell;
#endif
#else
#define POINT_STRIDE COLUMNS
typedef real CachedCell;
#endif

typedef struct {
  real at[COLUMNS];
} Point;

ATOLL_FUNCTION Point fetch(POINT_MEMORY const real *points, uint index) {
  Point x;
#if POINT_STRIDE == 4 && COLUMNS == 3
  const CachedCell all = ((POINT_MEMORY const CachedCell *)points)[index];
  x.at[0] = all.x;
  x.at[1] = all.y;
  x.at[2] = all.z;
#else
#pragma unroll
  for (int c = 0; c < COLUMNS; ++c) x.at[c] = points[(ulong)index * POINT_STRIDE + c];
#endif
  return x;
}

__attribute__((reqd_work_group_size(TEAM * TEAMS, 1, 1))) kernel void train_team(
    global const Task *tasks, global const Reach *starts, Sweep sweep, global const real *restrict all_points,
    global const int *restrict orders, global const real *restrict distances, global const int *restrict all_codes,
    global real *tables, global real *weights, ulong first_step, uint steps, local CachedCell *cache,
    local real *local_tables, uint local_table_length) {
  local Candidate slots[TEAMS * TEAM_SLOTS];
  local uint orders_ahead[TEAMS * TEAM];
  const uint n = sweep.points;
  const uint team = (uint)get_local_id(0) / TEAM;
  const uint member = (uint)get_local_id(0) % TEAM;
  const uint number = (uint)get_group_id(0) * TEAMS + team;
  // What the steps do not need stays in memory: registers decide how many maps a multiprocessor holds.
  global const Task *task = tasks + number;
  local EpochOrder epoch_orders[TEAMS];
  local EpochOrder *epoch_order = epoch_orders + team;
  local uint *ahead = orders_ahead + team * TEAM;

#ifdef CACHED
  local real *points = (local real *)cache;
  for (uint i = get_local_id(0); i < n; i += TEAM * TEAMS)
    for (uint c = 0; c < COLUMNS; ++c) points[i * POINT_STRIDE + c] = all_points[i * COLUMNS + c];
  barrier(CLK_LOCAL_MEM_FENCE);
#else
  global const real *points = all_points;
#endif
#ifdef LOCAL_TABLE
  local real *table = local_tables + team * local_table_length;
#else
  global real *table = tables + task->table;
#endif

  real w[EACH][COLUMNS];
  real fence[EACH];
#ifdef GRID
  int codes[EACH];
  int places[EACH];
#define CODE(e) codes[e]
#define PLACE(e) places[e]
#else
  // On a line or ring the codes count the neurons: nothing to look up.
#define CODE(e) (int)(member + (e)*TEAM)
#define PLACE(e) (last_place - (int)(member + (e)*TEAM))
  const int last_place = task->neurons;
#endif
#pragma unroll
  for (int e = 0; e < EACH; ++e) {
    const int j = (int)member + e * TEAM;
    const int real_neuron = j < task->neurons;
    fence[e] = real_neuron ? (real)0 : (real)INFINITY;
#ifdef GRID
    codes[e] = real_neuron ? all_codes[task->codes + j] : 0;
    places[e] = all_codes[task->codes + task->neurons + (real_neuron ? j : 0)];
#endif
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) w[e][c] = weights[task->weights + (ulong)c * (TEAM * EACH) + j];
  }

  ulong epoch = first_step / n;
  uint position = (uint)(first_step % n);
  uint left = steps;
  uint turn = 0;
  while (left > 0) {
    Reach at = reach_at(&sweep, starts[number], task->epochs, epoch, 0);
    TEAM_SYNC();
    if (member == 0) *epoch_order = order_of(&sweep, task->stream, epoch, first_step, steps);
    for (int i = (int)member; i < task->table_length; i += TEAM)
#ifdef PER_STEP
      table[i] = distances[task->distances + i];
#else
      table[i] = step_size(sweep.neighborhood, distances[task->distances + i], at.sigma, at.eta);
#endif
    const uint end = min(n, position + left);
    left -= end - position;
    while (position < end) {
      const uint count = min((uint)TEAM, end - position);
      TEAM_SYNC();
      const EpochOrder order = *epoch_order;
      ahead[member] = point_at(&sweep, &order, orders, epoch, position + member);
#ifdef LOCAL_TABLE
      TEAM_SYNC();
#else
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#endif
      Point x = fetch(points, ahead[0]);
      for (uint s = 0; s < count; ++s) {
        const Point next = fetch(points, ahead[min(s + 1u, count - 1u)]);
        Candidate mine;
        real smallest = INFINITY;
        mine.neuron = member;
        mine.place = PLACE(0);
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
          Partial partial;
          VECTOR_START(partial);
#pragma unroll
          for (int c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
            if (isnan(x.at[c])) continue;
#endif
            VECTOR_ADD(partial, x.at[c], w[e][c]);
          }
          const real d = VECTOR_KEY(partial) + fence[e];
          const int closer = d < smallest;
          smallest = closer ? d : smallest;
          mine.neuron = closer ? member + e * TEAM : mine.neuron;
          mine.place = closer ? PLACE(e) : mine.place;
        }
        mine.key = KEY_OF(smallest);
        const int from = first_of_team(mine, slots + team * TEAM_SLOTS, member, turn++);
#ifdef PER_STEP
        at = reach_at(&sweep, starts[number], task->epochs, epoch, epoch * n + position + s);
#endif
#pragma unroll
        for (int e = 0; e < EACH; ++e) {
#ifdef PER_STEP
          const real g = step_size(sweep.neighborhood, table[CODE(e) + from], at.sigma, at.eta);
#else
          const real g = table[CODE(e) + from];
#endif
#pragma unroll
          for (int c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
            if (isnan(x.at[c])) continue;
#endif
            w[e][c] = fma(g, x.at[c] - w[e][c], w[e][c]);
          }
        }
        x = next;
      }
      position += count;
    }
    position = 0;
    ++epoch;
  }
#pragma unroll
  for (int e = 0; e < EACH; ++e)
#pragma unroll
    for (int c = 0; c < COLUMNS; ++c) weights[task->weights + (ulong)c * (TEAM * EACH) + member + e * TEAM] = w[e][c];
}
