// Energies of many points at once: first populations, shape B, --evaluate, polish, the check at the end.
// points are [group of members][FREE][stride]; the member of a work-item is the second index of the range.

/// One work-item a member.
kernel void evaluate_members(global const real *points, global real *energies, const int stride, const int members,
                             global const real *x_limits, global const real *data) {
  const size_t set = get_global_id(1);
  const int member = (int)get_global_id(0);
  if (member >= members) return;
  real u[FREE], x[ATOLL_DIMENSION];
  PLAIN_LOOP
  for (int k = 0; k < FREE; ++k) u[k] = points[(set * FREE + (size_t)k) * (size_t)stride + (size_t)member];
  decode(u, x, x_limits);
  energies[set * (size_t)stride + (size_t)member] = evaluate(x, data);
}

#if ATOLL_ROWS > 0
#define ROW_STRIPES 64

/// One group a member: work-items share the rows. The same sum as evaluate(): stripe s adds rows s, s + 64, ..., then a
/// halving tree.
kernel __attribute__((reqd_work_group_size(ROW_GROUP, 1, 1))) void evaluate_by_rows(global const real *points,
                                                                                    global real *energies,
                                                                                    const int stride, const int members,
                                                                                    global const real *x_limits,
                                                                                    global const real *data) {
  local real stripes[ROW_STRIPES];
  const size_t set = get_global_id(1);
  const int member = (int)get_group_id(0);
  const int lid = (int)get_local_id(0);
  real u[FREE], x[ATOLL_DIMENSION];
  PLAIN_LOOP
  for (int k = 0; k < FREE; ++k) u[k] = points[(set * FREE + (size_t)k) * (size_t)stride + (size_t)member];
  decode(u, x, x_limits);
  PLAIN_LOOP
  for (int stripe = lid; stripe < ROW_STRIPES; stripe += ROW_GROUP) {
    real sum = (real)0;
    for (int row = stripe; row < ATOLL_ROWS; row += ROW_STRIPES) sum = sum + evaluate_row(x, data, row);
    stripes[stripe] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  PLAIN_LOOP
  for (int half_ = ROW_STRIPES / 2; half_ > 0; half_ >>= 1) {
    PLAIN_LOOP
    for (int stripe = lid; stripe < half_; stripe += ROW_GROUP)
      stripes[stripe] = stripes[stripe] + stripes[stripe + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (lid == 0) energies[set * (size_t)stride + (size_t)member] = stripes[0];
}

/// Each row's part of the objective at one point, for --evaluate and /fit.
kernel void evaluate_rows(global const real *points, global real *parts, global const real *x_limits,
                          global const real *data) {
  const int row = (int)get_global_id(0);
  if (row >= ATOLL_ROWS) return;
  real u[FREE], x[ATOLL_DIMENSION];
  PLAIN_LOOP
  for (int k = 0; k < FREE; ++k) u[k] = points[k];
  decode(u, x, x_limits);
  parts[row] = evaluate_row(x, data, row);
}
#endif
