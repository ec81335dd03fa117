// Schwefel (1981), problem 2.26: 418.98... D - sum x sin(sqrt|x|). Minimum 0 at 420.9687...; box [-500, 500].
real objective(const real *x) {
  real sum = 0;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) sum += x[i] * sin(sqrt(fabs(x[i])));
  return (real)418.98288727243369 * ATOLL_DIMENSION - sum;
}
