// A map whose weights stand still: what measuring and batch training know of it. The host has the same struct.
typedef struct {
  ulong weights;     // where its weights start: row-major (neurons, COLUMNS)
  ulong neurons_at;  // where its values a neuron start
  ulong paths_at;    // grids: where its shortest paths start
  real sigma, eta;   // measuring: sigma of the last epoch or step
  int neurons, rows, columns, topology;
} MeasuredMap;
