// Griewank (1981): 1 + sum x^2 / 4000 - product cos(x_i / sqrt(i)), i from 1. Minimum 0 at 0; usual box [-600, 600].
real objective(const real *x) {
  real sum = 0, product = 1;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) {
    sum += x[i] * x[i];
    product *= cos(x[i] / sqrt((real)(i + 1)));
  }
  return 1 + sum / 4000 - product;
}
