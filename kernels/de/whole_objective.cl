// evaluate() of an objective that is no sum over a table: a benchmark or an objective file's objective().
real evaluate(const real *x, global const real *data) { return objective(x); }
