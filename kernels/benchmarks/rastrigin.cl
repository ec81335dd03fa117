// Rastrigin (1974): 10 D + sum of x^2 - 10 cos(2 pi x). Minimum 0 at 0; usual box [-5.12, 5.12].
real objective(const real *x) {
  real sum = 10 * ATOLL_DIMENSION;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) sum += x[i] * x[i] - 10 * cospi(2 * x[i]);
  return sum;
}
