// What the host says about a map, and what is the same for all maps of a launch. The host has the same structs:
// src/som/device_structs.hpp.

typedef struct {
  ulong stream;     // names the random numbers of the map; STREAMED: which window of the points is its own
  ulong weights;    // where its weights start in `weights`
  ulong table;      // where its neighborhood table starts in `tables`
  ulong distances;  // where the squared map distances of its shape start in `distances`; the table has the same layout
  ulong codes;      // grids of the team and group kernels: where the codes of its shape start
  int neurons, rows, columns, epochs;
  int table_length;
  int origin, stride;  // the row of winner w in the table starts at origin + stride * w
  int reach_columns;   // neurons a map distance of 1 spans in index: 1 on line and ring, columns on a grid
  int wraps;           // the index of neurons wraps: ring and toroids
  real row_height2;    // squared map distance between neighboring rows; 1 on line and ring, whose rows are neurons
} Task;

typedef struct {
  real sigma_end, eta_end;
  ulong seed;
  int sigma_decay, eta_decay, per_step;
  int neighborhood;
  int order;  // ORDER_*
  uint points;
} Sweep;

#define ORDER_SHUFFLED 0
#define ORDER_SEQUENTIAL 1
#define ORDER_FILE 2

typedef struct {
  real sigma, eta;
} Reach;

/// sigma and eta of a map with the start values `start` in `epoch`, or at `step` counted over all epochs.
ATOLL_FUNCTION Reach reach_at(const Sweep *sweep, Reach start, int epochs, ulong epoch, ulong step) {
  const ulong at = sweep->per_step ? step : epoch;
  const ulong count = sweep->per_step ? (ulong)epochs * sweep->points : (ulong)epochs;
  Reach r;
  r.sigma = decayed(sweep->sigma_decay, start.sigma, sweep->sigma_end, at, count);
  r.eta = decayed(sweep->eta_decay, start.eta, sweep->eta_end, at, count);
  return r;
}

#ifdef STREAMED
// The device holds the points of this launch only, in windows of one point a step, each in the order of the steps; a
// map reads the window that `stream` numbers. A position of the epoch and an EpochOrder add up to the place of the
// point.
typedef uint EpochOrder;

ATOLL_FUNCTION EpochOrder order_of(const Sweep *sweep, ulong stream, ulong epoch, ulong first_step, uint steps) {
  return (uint)(stream * steps + epoch * sweep->points - first_step);
}

/// The place of the point at a position of an epoch; no place at all beyond the steps of the launch.
ATOLL_FUNCTION uint point_at(const Sweep *sweep, const EpochOrder *order, global const int *orders, ulong epoch,
                             uint position) {
  return *order + position;
}
#else
typedef Shuffle EpochOrder;

ATOLL_FUNCTION EpochOrder order_of(const Sweep *sweep, ulong stream, ulong epoch, ulong first_step, uint steps) {
  return shuffle_of(sweep->seed, stream, DRAW_ORDER, (uint)epoch, sweep->points);
}

/// The point at a position of an epoch; any point beyond the last position.
ATOLL_FUNCTION uint point_at(const Sweep *sweep, const EpochOrder *order, global const int *orders, ulong epoch,
                             uint position) {
  const uint n = sweep->points;
  if (position >= n) return 0;
  if (sweep->order == ORDER_SHUFFLED) return shuffled(order, position, n);
  return sweep->order == ORDER_FILE ? (uint)orders[epoch * n + position] : position;
}
#endif
