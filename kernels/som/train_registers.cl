// Online training on a CPU of maps that fit into vector registers: BLOCKS * LANES neurons or fewer, COLUMNS columns.
// A step of one small map is one chain of dependent operations that leaves most of a core idle, so a work-item trains
// MAPS maps side by side. All maps of a work-item have the same number of epochs.

ATOLL_FUNCTION void fill_table(global real *table, global const real *distances, int length, int kind, Reach at) {
  for (int i = 0; i < length; ++i) table[i] = step_size(kind, distances[i], at.sigma, at.eta);
}

kernel void train_registers(global const Task *tasks, global const Reach *starts, Sweep sweep,
                            global const real *points, global const int *orders, global const real *distances,
                            global const int *all_codes, global real *tables, global real *weights, ulong first_step,
                            uint steps) {
  reals w[MAPS][COLUMNS][BLOCKS];
  reals fence[MAPS][BLOCKS];
  uint order[MAPS][STEPS_AHEAD];
  EpochOrder epoch_order[MAPS];
  uint map[MAPS];
  const indices lanes = LANE_NUMBERS;
  for (int k = 0; k < MAPS; ++k) map[k] = (uint)get_global_id(0) * MAPS + k;
#pragma unroll
  for (int k = 0; k < MAPS; ++k)
#pragma unroll
    for (int b = 0; b < BLOCKS; ++b) {
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) w[k][c][b] = LOAD(weights + tasks[map[k]].weights + (b * COLUMNS + c) * LANES);
      fence[k][b] =
          lanes + (lane_number)(b * LANES) < (lane_number)tasks[map[k]].neurons ? (reals)(0) : (reals)(INFINITY);
    }

  const uint n = sweep.points;
  uint epoch = (uint)(first_step / n);
  uint position = (uint)(first_step % n);
  uint left = steps;
  while (left > 0) {
    for (int k = 0; k < MAPS; ++k) {
      const global Task *task = tasks + map[k];
      fill_table(tables + task->table, distances + task->distances, task->table_length, sweep.neighborhood,
                 reach_at(&sweep, starts[map[k]], task->epochs, epoch, 0));
      epoch_order[k] = order_of(&sweep, task->stream, epoch, first_step, steps);
    }
    const uint end = min(n, position + left);
    left -= end - position;
    while (position < end) {
      for (int k = 0; k < MAPS; ++k) fill_order(&sweep, &epoch_order[k], orders, epoch, position, order[k]);
      const uint count = min((uint)STEPS_AHEAD, end - position);
      for (uint s = 0; s < count; ++s) {
#pragma unroll
        for (int k = 0; k < MAPS; ++k) {
          global const real *x = points + (ulong)order[k][s] * COLUMNS;
          reals best = INFINITY;
          indices where = lanes;
#pragma unroll
          for (int b = 0; b < BLOCKS; ++b) {
            Partial partial;
            VECTOR_START(partial);
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) VECTOR_ADD(partial, (reals)(x[c]), w[k][c][b]);
            const reals d = VECTOR_KEY(partial) + fence[k][b];
            where = d < best ? lanes + (lane_number)(b * LANES) : where;
            best = d < best ? d : best;
          }
          const int winner = min((int)lowest(best, where), tasks[map[k]].neurons - 1);
          global const real *g = tables + tasks[map[k]].table + tasks[map[k]].origin + tasks[map[k]].stride * winner;
#pragma unroll
          for (int b = 0; b < BLOCKS; ++b) {
            const reals h = LOAD(g + b * LANES);
#pragma unroll
            for (int c = 0; c < COLUMNS; ++c) w[k][c][b] = fma(h, (reals)(x[c]) - w[k][c][b], w[k][c][b]);
          }
        }
      }
      position += count;
    }
    position = 0;
    ++epoch;
  }
#pragma unroll
  for (int k = 0; k < MAPS; ++k)
#pragma unroll
    for (int b = 0; b < BLOCKS; ++b)
#pragma unroll
      for (int c = 0; c < COLUMNS; ++c) STORE(w[k][c][b], weights + tasks[map[k]].weights + (b * COLUMNS + c) * LANES);
}
