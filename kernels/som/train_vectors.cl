// Online training on a CPU of a map of any size: a work-item a map, LANES neurons at a time, weights in global memory
// as (blocks, COLUMNS, LANES). With EXPAND the influences of a winner are gathered row by row of the grid first, from a
// table of all map distances, or computed for every step where sigma and eta fall by the step.

/// Distances of a point to all neurons: the lowest index among the nearest.
ATOLL_FUNCTION int winner_of(global const real *x, global const real *w, int neurons) {
  const indices lanes = LANE_NUMBERS;
  const int blocks = (neurons + LANES - 1) / LANES;
  reals best = INFINITY;
  indices where = lanes;
  for (int b = 0; b < blocks; ++b) {
    Partial partial;
    VECTOR_START(partial);
#pragma unroll UNROLLED_COLUMNS
    for (int c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
      if (isnan(x[c])) continue;
#endif
      VECTOR_ADD(partial, (reals)(x[c]), LOAD(w + ((ulong)b * COLUMNS + c) * LANES));
    }
    reals d = VECTOR_KEY(partial);
    if (b == blocks - 1) d = lanes + (lane_number)(b * LANES) < (lane_number)neurons ? d : (reals)(INFINITY);
    where = d < best ? lanes + (lane_number)(b * LANES) : where;
    best = d < best ? d : best;
  }
  return min((int)lowest(best, where), neurons - 1);
}

ATOLL_FUNCTION void move_blocks(global const real *x, global real *w, global const real *g, int first, int end) {
  for (int b = first; b < end; ++b) {
    const reals h = LOAD(g + b * LANES);
#pragma unroll UNROLLED_COLUMNS
    for (int c = 0; c < COLUMNS; ++c) {
#ifdef MISSING
      if (isnan(x[c])) continue;
#endif
      global real *at = w + ((ulong)b * COLUMNS + c) * LANES;
      const reals v = LOAD(at);
      STORE(fma(h, (reals)(x[c]) - v, v), at);
    }
  }
}

/// Moves the neurons that are at most `reach` places in index from the winner; `g` holds the step size of each neuron.
ATOLL_FUNCTION void move_near(global const real *x, global real *w, global const real *g, int neurons, int winner,
                              int reach, int wraps) {
  const int blocks = (neurons + LANES - 1) / LANES;
  if (2 * reach + 2 * LANES >= neurons) {
    move_blocks(x, w, g, 0, blocks);
    return;
  }
  const int low = winner - reach;
  const int high = winner + reach;
  move_blocks(x, w, g, max(low, 0) / LANES, min(high, neurons - 1) / LANES + 1);
  if (!wraps) return;
  if (low < 0) move_blocks(x, w, g, (neurons + low) / LANES, blocks);
  if (high >= neurons) move_blocks(x, w, g, 0, (high - neurons) / LANES + 1);
}

/// Places in index beyond which no step is left at this sigma and eta.
ATOLL_FUNCTION int reach_of(global const Task *task, int kind, Reach at) {
  int far = task->rows > 1 ? task->rows : task->neurons;
  while (far > 0) {
    const real d = (real)(far - 1);
    if (step_size(kind, d * d * task->row_height2, at.sigma, at.eta) != (real)0) break;
    --far;
  }
  return far * task->reach_columns;
}

#ifdef EXPAND
/// The step sizes around a winner, neuron by neuron.
ATOLL_FUNCTION void expand(global const Task *task, global const int *codes, global const real *from, int winner,
                           global real *row, int kind, Reach at) {
  global const int *origins = codes + task->neurons;
  for (int r = 0; r < task->rows; ++r) {
    global const real *piece = from + codes[r * task->columns] + origins[winner];
    for (int c = 0; c < task->columns; c += LANES) {
#ifdef PER_STEP
      const int end = min(c + LANES, task->columns);
      for (int i = c; i < end; ++i) row[r * task->columns + i] = step_size(kind, piece[i], at.sigma, at.eta);
#else
      STORE(LOAD(piece + c), row + r * task->columns + c);
#endif
    }
  }
}
#endif

kernel void train_vectors(global const Task *tasks, global const Reach *starts, Sweep sweep, global const real *points,
                          global const int *orders, global const real *distances, global const int *all_codes,
                          global real *tables, global real *weights, ulong first_step, uint steps) {
  global const Task *task = tasks + get_global_id(0);
  const Reach start = starts[get_global_id(0)];
  global real *w = weights + task->weights;
  global real *table = tables + task->table;
  uint order[STEPS_AHEAD];
  const uint n = sweep.points;
  ulong epoch = first_step / n;
  uint position = (uint)(first_step % n);
  uint left = steps;
  while (left > 0) {
    const EpochOrder epoch_order = order_of(&sweep, task->stream, epoch, first_step, steps);
    Reach at = reach_at(&sweep, start, task->epochs, epoch, 0);
#ifndef PER_STEP
    for (int i = 0; i < task->table_length; ++i)
      table[i] = step_size(sweep.neighborhood, distances[task->distances + i], at.sigma, at.eta);
    const int reach = reach_of(task, sweep.neighborhood, at);
#else
    const int reach = task->neurons;
#endif
    const uint end = min(n, position + left);
    left -= end - position;
    for (uint ahead = 0; position < end; ++position, ahead = (ahead + 1) % STEPS_AHEAD) {
      if (ahead == 0) fill_order(&sweep, &epoch_order, orders, epoch, position, order);
      global const real *x = points + (ulong)order[ahead] * COLUMNS;
#ifdef MISSING
      int present = 0;
      for (int c = 0; c < COLUMNS; ++c) present |= !isnan(x[c]);
      if (!present) continue;
#endif
      const int winner = winner_of(x, w, task->neurons);
#ifdef PER_STEP
      at = reach_at(&sweep, start, task->epochs, epoch, epoch * n + position);
      global real *row = table;
      expand(task, all_codes + task->codes, distances + task->distances, winner, row, sweep.neighborhood, at);
#elif defined(EXPAND)
      global real *row = table + task->table_length;
      expand(task, all_codes + task->codes, table, winner, row, 0, at);
#else
      global const real *row = table + task->origin + task->stride * winner;
#endif
      move_near(x, w, row, task->neurons, winner, reach, task->wraps);
    }
    position = 0;
    ++epoch;
  }
}
