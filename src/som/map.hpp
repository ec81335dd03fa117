// One map of a sweep: what it is asked to be, and what came out of its training.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "config/som_settings.hpp"

namespace atl::som {

/// One point of the sweep. Line and ring are 1 x neurons.
struct MapSetting {
  config::MapTopology topology = config::MapTopology::ring;
  std::int32_t rows = 1, columns = 1;
  double sigma = 1;  // start value, in map units
  double eta = 1;    // start value
  std::int32_t epochs = 1;
  std::int32_t replicate = 0;  // from 0
  std::int32_t codebook = -1;  // MapInitial::file: index into TrainerInputs::codebooks

  [[nodiscard]] std::int32_t neurons() const { return rows * columns; }
  friend bool operator==(const MapSetting&, const MapSetting&) = default;
};

/// The stream of random numbers of a map: a hash of (topology, shape, sigma, eta, epochs, replicate), never of its
/// place in the sweep; with the seed of the sweep it decides every draw.
[[nodiscard]] std::uint64_t stream_of(const MapSetting& map);

/// One name, one definition: measures.hpp. Undefined values are NaN.
struct Measures {
  static constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  double quantization_error = undefined;
  double mean_squared_error = undefined;
  double topographic_error = undefined;
  double topographic_error_8 = undefined;
  double distortion = undefined;
  double kaski_lagus_error = undefined;
  double explained_variance = undefined;
  double empty_neurons = undefined;  // a count
  double davies_bouldin = undefined;
  double calinski_harabasz = undefined;
  double simplified_silhouette = undefined;
};

struct TrainedMap {
  std::vector<double> weights;            // (neurons, columns of the data), row-major, in scaled space
  std::vector<std::int32_t> assignments;  // (points): nearest neuron of these weights; -1: no present cell
  std::vector<std::int64_t> hits;         // (neurons)
  Measures measures;
  double seconds = 0;  // its share of the device time
};

}  // namespace atl::som
