// Levy and Montalvo (1985), w = 1 + (x - 1) / 4. Minimum 0 at 1; usual box [-10, 10].
real objective(const real *x) {
  const real pi = (real)3.14159265358979323846;
  const real first = sinpi(1 + (x[0] - 1) / 4);
  real sum = first * first;
  for (int i = 0; i + 1 < ATOLL_DIMENSION; ++i) {
    const real w = 1 + (x[i] - 1) / 4;
    const real wave = sin(pi * w + 1);
    sum += (w - 1) * (w - 1) * (1 + 10 * wave * wave);
  }
  const real w = 1 + (x[ATOLL_DIMENSION - 1] - 1) / 4;
  const real wave = sinpi(2 * w);
  return sum + (w - 1) * (w - 1) * (1 + wave * wave);
}
