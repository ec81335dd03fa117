// How sigma and eta fall, and how far a winner reaches. Also compiled as C++ by src/som/schedule.hpp.
// The numbers of the kinds are the order of the enums in src/config/som_settings.hpp.
#define DECAY_LINEAR 0
#define DECAY_LINEAR_OPEN 1
#define DECAY_LINEAR_TO_ZERO 2
#define DECAY_LINEAR_TO 3
#define DECAY_EXPONENTIAL 4
#define DECAY_ASYMPTOTIC 5
#define DECAY_INVERSE 6
#define GAUSSIAN 0
#define BUBBLE 1
#define TRIANGLE 2
#define MEXICAN_HAT 3

/// The value at epoch or step `e` of `count` of what starts at `start`; `end` counts for linear_to and exponential.
ATOLL_FUNCTION real decayed(int kind, real start, real end, ulong e, ulong count) {
  const real at = (real)e;
  const real total = (real)count;
  switch (kind) {
    case DECAY_LINEAR:
      return start * ((real)1 - at / total);
    case DECAY_LINEAR_OPEN:
      return start * ((real)1 - (at + (real)1) / (total + (real)2));
    case DECAY_LINEAR_TO_ZERO:
      return count > 1 ? start * ((real)1 - at / (total - (real)1)) : start;
    case DECAY_LINEAR_TO:
      return count > 1 ? start + (end - start) * (at / (total - (real)1)) : start;
    case DECAY_EXPONENTIAL:
      return start * pow(end / start, at / total);
    case DECAY_ASYMPTOTIC:
      return start / ((real)1 + at / (total * (real)0.5));
    default: {
      const real c = total * (real)0.01;
      return start * (c / (c + at));
    }
  }
}

/// Influence on a neuron at squared map distance `d2` of the winner. A sigma whose square underflows: the winner only.
ATOLL_FUNCTION real neighborhood(int kind, real d2, real sigma) {
  const real s2 = sigma * sigma;
  if (!(s2 > (real)0)) return d2 == (real)0 ? (real)1 : (real)0;
  switch (kind) {
    case GAUSSIAN:
      return exp(-d2 / ((real)2 * s2));
    case BUBBLE:
      return sqrt(d2) <= sigma ? (real)1 : (real)0;
    case TRIANGLE: {
      const real h = (real)1 - sqrt(d2) / sigma;
      return h > (real)0 ? h : (real)0;
    }
    default:
      return ((real)1 - d2 / s2) * exp(-d2 / ((real)2 * s2));
  }
}

/// Squared map distance beyond which every influence is exactly 0: exp underflows there, the others have an edge (with
/// some room for its rounding).
ATOLL_FUNCTION real influence_ends(int kind, real sigma) {
  const real s2 = sigma * sigma;
  if (!(s2 > (real)0)) return (real)0;
  return kind == BUBBLE || kind == TRIANGLE ? (real)1.001 * s2 : (real)1500 * s2;
}

// Online training leaves out steps that are below the rounding of the weights they would move: with it the far side of
// a map costs nothing and no denormal numbers arise. Batch training, which divides by these sums, leaves nothing out.
#ifdef ATOLL_SINGLE
#define NEGLIGIBLE ((real)9.094947017729282e-13)  // 2^-40
#else
#define NEGLIGIBLE ((real)8.271806125530277e-25)  // 2^-80
#endif

/// What a winner at squared map distance `d2` moves a neuron by, as a share of the way to the point.
ATOLL_FUNCTION real step_size(int kind, real d2, real sigma, real eta) {
  const real g = eta * neighborhood(kind, d2, sigma);
  return g > NEGLIGIBLE || g < -NEGLIGIBLE ? g : (real)0;
}
