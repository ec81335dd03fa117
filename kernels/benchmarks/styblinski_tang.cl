// Styblinski and Tang (1990): sum of (x^4 - 16 x^2 + 5 x) / 2, lifted so that its minimum is 0, at -2.903534...; usual
// box [-5, 5].
real objective(const real *x) {
  real sum = 0;
  for (int i = 0; i < ATOLL_DIMENSION; ++i) {
    const real square = x[i] * x[i];
    sum += square * square - 16 * square + 5 * x[i];
  }
  return (real)0.5 * sum + (real)39.16616570377142 * ATOLL_DIMENSION;
}
