// evaluate() of an objective that is no sum over a table: a benchmark or an objective file's objective(). The file's
// own helpers may be called evaluate: ours is renamed behind it.
#define evaluate atoll_evaluate

real evaluate(const real* x, global const real* data) {
  return objective(x);
}
