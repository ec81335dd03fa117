// Ackley (1987): -20 exp(-0.2 sqrt(mean x^2)) - exp(mean cos(2 pi x)) + 20 + e. Minimum 0 at 0; usual box [-32, 32].
real objective(const real *x) {
  real squares = 0, waves = 0;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) {
    squares += x[i] * x[i];
    waves += cospi(2 * x[i]);
  }
  const real e = (real)2.718281828459045235;
  return 20 - 20 * exp((real)-0.2 * sqrt(squares / ATOLL_DIMENSION)) + (e - exp(waves / ATOLL_DIMENSION));
}
