// Zakharov: sum x^2 + s^2 + s^4 with s = sum of i x_i / 2, i from 1. Minimum 0 at 0; usual box [-5, 10].
real objective(const real *x) {
  real squares = 0, s = 0;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) {
    squares += x[i] * x[i];
    s += (real)0.5 * (real)(i + 1) * x[i];
  }
  return squares + s * s + s * s * s * s;
}
