// Rosenbrock (1960): sum of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2. Minimum 0 at 1; usual box [-30, 30].
real objective(const real *x) {
  real sum = 0;
  for (int i = 0; i + 1 < ATOLL_DIMENSION; ++i) {
    const real valley = x[i + 1] - x[i] * x[i];
    const real away = 1 - x[i];
    sum += 100 * valley * valley + away * away;
  }
  return sum;
}
