// evaluate() as a sum of evaluate_row() over a table in global memory. The order of the sum is one for all devices and
// work-group sizes: 64 stripes, stripe s takes rows s, s + 64, ... in order, then a halving tree.
#define ATOLL_STRIPES 64

real evaluate(const real *x, global const real *data) {
  real part[ATOLL_STRIPES];
  for (int s = 0; s < ATOLL_STRIPES; ++s) part[s] = 0;
  // Full blocks stand apart from the rest so that a CPU's compiler turns the inner loop into vectors.
  const int full = ATOLL_ROWS / ATOLL_STRIPES * ATOLL_STRIPES;
  for (int row = 0; row < full; row += ATOLL_STRIPES) {
    for (int s = 0; s < ATOLL_STRIPES; ++s) part[s] += evaluate_row(x, data, row + s);
  }
  for (int s = 0; s < ATOLL_ROWS - full; ++s) part[s] += evaluate_row(x, data, full + s);
  for (int stride = ATOLL_STRIPES / 2; stride > 0; stride /= 2) {
    for (int s = 0; s < stride; ++s) part[s] += part[s + stride];
  }
  return part[0];
}
