// Sum of squares. Minimum 0 at 0; usual box [-100, 100].
real objective(const real *x) {
  real sum = 0;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) sum += x[i] * x[i];
  return sum;
}
