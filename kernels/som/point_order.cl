// The points of the next steps, STEPS_AHEAD positions of the order at a time, for CPUs.
#define STEPS_AHEAD 64

#ifdef STREAMED
ATOLL_FUNCTION void fill_order(const Sweep *sweep, const EpochOrder *epoch_order, global const int *orders, ulong epoch,
                               uint first, uint *order) {
  for (uint j = 0; j < STEPS_AHEAD; ++j) order[j] = point_at(sweep, epoch_order, orders, epoch, first + j);
}
#else
DEFINE_SHUFFLED(shuffled_vector, uint16)

/// Points of positions first .. first + STEPS_AHEAD - 1 of an epoch; beyond the last point anything below n.
ATOLL_FUNCTION void fill_order(const Sweep *sweep, const EpochOrder *epoch_order, global const int *orders, ulong epoch,
                               uint first, uint *order) {
  const uint n = sweep->points;
  if (sweep->order == ORDER_FILE) {
    for (uint j = 0; j < STEPS_AHEAD; ++j) order[j] = (uint)orders[epoch * n + min(first + j, n - 1u)];
    return;
  }
  for (uint i = 0; i < STEPS_AHEAD; i += 16) {
    uint16 at = (uint16)(first + i) + (uint16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    at = at < n ? at : (uint16)(n - 1u);  // min(uint16, uint) gives wrong answers on Oclgrind
    if (sweep->order == ORDER_SHUFFLED) {
      at = shuffled_vector(epoch_order, at);
      while (any(at >= n)) at = at >= n ? shuffled_vector(epoch_order, at) : at;
    }
    vstore16(at, 0, order + i);
  }
}
#endif
