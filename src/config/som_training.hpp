// How the maps of a sweep are trained: the part of a sweep file that is the same for every map, as plain values.
#pragma once
#include <cstdint>

#include "config/de_settings.hpp"  // Precision

namespace atoll::config {

enum class MapTopology { line, ring, rectangular, hexagonal, rectangular_toroid, hexagonal_toroid };
enum class TrainingKind { online, batch };
enum class PointOrder { shuffled, sequential, file };
enum class DecayKind { linear, linear_open, linear_to_zero, linear_to, exponential, asymptotic, inverse };
enum class Neighborhood { gaussian, bubble, triangle, mexican_hat };
enum class InitialWeights { sample, uniform, pca, file };
enum class PointDistance { euclidean, manhattan, chebyshev, cosine };

/// How sigma or eta falls from its start value. `end` counts for linear_to and exponential.
struct Decay {
  DecayKind kind = DecayKind::linear;
  double end = 0;
};

/// One for the whole sweep; the lists of [sweep] make the MapSettings.
struct TrainingSettings {
  TrainingKind training = TrainingKind::online;
  PointOrder order = PointOrder::shuffled;
  Decay sigma_decay, eta_decay;
  bool decay_per_step = false;  // online only: e and T count steps, not epochs
  Neighborhood neighborhood = Neighborhood::gaussian;
  InitialWeights initial = InitialWeights::sample;
  double uniform_low = 0, uniform_high = 1;  // InitialWeights::uniform, in scaled space
  PointDistance distance = PointDistance::euclidean;
  Precision precision = Precision::real32;
  std::uint64_t seed = 1;
};

}  // namespace atoll::config
