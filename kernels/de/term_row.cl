// evaluate_row() of an objective file's term(): the row is copied from the columns of the table, so that the user's
// code sees private memory.
real evaluate_row(const real *x, global const real *data, int row) {
  real cells[ATOLL_COLUMNS];
  for (int c = 0; c < ATOLL_COLUMNS; ++c) cells[c] = data[(size_t)c * ATOLL_ROWS + row];
  return term(x, cells);
}
