// Online training on a GPU of a map of any size and any number of columns: a work-group of TEAM work-items a map,
// weights in global memory, a column of `padded` neurons after the other. Work-item i has neurons i % SPAN + k * SPAN
// and columns i / SPAN + k * SLICES, in searching and in moving: nobody reads a weight that another one wrote.

#define SLICES (TEAM / SPAN)

#if METRIC == COSINE
ATOLL_FUNCTION Partial joined(Partial a, Partial b) {
  a.xw += b.xw;
  a.xx += b.xx;
  a.ww += b.ww;
  return a;
}
#elif METRIC == CHEBYSHEV
ATOLL_FUNCTION Partial joined(Partial a, Partial b) { return fmax(a, b); }
#else
ATOLL_FUNCTION Partial joined(Partial a, Partial b) { return a + b; }
#endif

__attribute__((reqd_work_group_size(TEAM, 1, 1))) kernel void train_group(
    global const Task *tasks, global const Reach *starts, Sweep sweep, global const real *restrict points,
    global const int *restrict orders, global const real *restrict distances, global const int *restrict all_codes,
    global real *tables, global real *weights, ulong first_step, uint steps) {
  local Candidate slots[TEAM_SLOTS];
  local uint ahead[TEAM];
#if SLICES > 1
  local Partial parts[TEAM];
#endif
  const uint n = sweep.points;
  const uint id = get_local_id(0);
  const uint lane = id % SPAN;
  const uint slice = id / SPAN;
  const Task task = tasks[get_group_id(0)];
  const Reach start = starts[get_group_id(0)];
  const uint padded = ((uint)task.neurons + SPAN - 1u) / SPAN * SPAN;
  global real *w = weights + task.weights;
  global real *table = tables + task.table;
  global const int *codes = all_codes + task.codes;
  ulong epoch = first_step / n;
  uint position = (uint)(first_step % n);
  uint left = steps;
  uint turn = 0;
  while (left > 0) {
    const EpochOrder epoch_order = order_of(&sweep, task.stream, epoch, first_step, steps);
    Reach at = reach_at(&sweep, start, task.epochs, epoch, 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = (int)id; i < task.table_length; i += TEAM)
#ifdef PER_STEP
      table[i] = distances[task.distances + i];
#else
      table[i] = step_size(sweep.neighborhood, distances[task.distances + i], at.sigma, at.eta);
#endif
    const uint end = min(n, position + left);
    left -= end - position;
    while (position < end) {
      const uint count = min((uint)TEAM, end - position);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      ahead[id] = point_at(&sweep, &epoch_order, orders, epoch, position + id);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint s = 0; s < count; ++s) {
        global const real *x = points + (ulong)ahead[s] * COLUMNS;
        Candidate mine;
        mine.neuron = lane;
        real smallest = INFINITY;
        for (uint first = 0; first < padded; first += SPAN) {
          const uint j = first + lane;
          Partial partial;
          VECTOR_START(partial);
          for (uint c = slice; c < COLUMNS; c += SLICES) {
#ifdef MISSING
            if (isnan(x[c])) continue;
#endif
            VECTOR_ADD(partial, x[c], w[(ulong)c * padded + j]);
          }
#if SLICES > 1
          barrier(CLK_LOCAL_MEM_FENCE);
          parts[id] = partial;
          barrier(CLK_LOCAL_MEM_FENCE);
          partial = parts[lane];
          for (uint i = 1; i < SLICES; ++i) partial = joined(partial, parts[i * SPAN + lane]);
#endif
          const real d = VECTOR_KEY(partial);
          const int closer = j < (uint)task.neurons && d < smallest;
          smallest = closer ? d : smallest;
          mine.neuron = closer ? j : mine.neuron;
        }
        mine.key = KEY_OF(smallest);
        mine.place = (int)mine.neuron;
        const int winner = min(first_of_team(mine, slots, id, turn++), task.neurons - 1);
        const int from = codes[task.neurons + winner];
#ifdef PER_STEP
        at = reach_at(&sweep, start, task.epochs, epoch, epoch * n + position + s);
#endif
        for (uint j = lane; j < (uint)task.neurons; j += SPAN) {
          real g = table[codes[j] + from];
#ifdef PER_STEP
          g = step_size(sweep.neighborhood, g, at.sigma, at.eta);
#endif
          if (g == (real)0) continue;
          for (uint c = slice; c < COLUMNS; c += SLICES) {
#ifdef MISSING
            if (isnan(x[c])) continue;
#endif
            global real *v = w + (ulong)c * padded + j;
            *v = fma(g, x[c] - *v, *v);
          }
        }
      }
      position += count;
    }
    position = 0;
    ++epoch;
  }
}
