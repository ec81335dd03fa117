// A checked sweep file as plain structs: what `atoll som` was asked to do.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/de_settings.hpp"  // Precision, Override, EffectiveValue

namespace atl::config {

enum class MapTopology { line, ring, rectangular, hexagonal, rectangular_toroid, hexagonal_toroid };
enum class Scaling { none, zscore, minmax };
enum class Training { online, batch };
enum class SampleOrder { shuffled, sequential, file };
enum class Decay { linear, linear_open, linear_to_zero, linear_to, exponential, asymptotic, inverse };
enum class DecayPer { epoch, step };
enum class Neighborhood { gaussian, bubble, triangle, mexican_hat };
enum class MapInitial { sample, uniform, pca, file };
enum class MapDistance { euclidean, manhattan, chebyshev, cosine };

struct SomData {
  std::string file;  // resolved against the sweep file; may carry ":/dataset"
  Location where;
  std::vector<std::string> columns;  // names for a file without a header
  std::vector<std::string> use;      // names or 0-based indices of the columns to keep; empty: all
  std::vector<Location> use_where;   // one an entry of use
  Scaling scale = Scaling::none;
  bool ignore_missing = false;
};

struct MapShape {
  std::int64_t rows = 1, columns = 1;
  friend bool operator==(const MapShape&, const MapShape&) = default;
};

/// A start value of sigma: a number in map units, or the map's size over `divisor` ("n/2"). The size of a line or ring
/// is its neurons, of a grid its longer side.
struct SigmaSetting {
  double value = 0;
  double divisor = 0;  // > 0: relative to the size
  [[nodiscard]] double of(const MapShape& shape) const;
  friend bool operator==(const SigmaSetting&, const SigmaSetting&) = default;
};

/// Every list has at least one entry and no duplicates; the sweep is their product.
struct SweepSettings {
  std::vector<MapTopology> topology = {MapTopology::ring};
  std::vector<std::int64_t> neurons;  // for line and ring, in file order
  std::vector<MapShape> shapes;       // for the grids
  std::vector<SigmaSetting> sigma = {{5.0, 0}};
  std::vector<double> eta = {1.0};
  std::vector<std::int64_t> epochs = {149};
  std::int64_t replicates = 10;
  Location where;  // of [sweep]
};

struct SomTraining {
  Training training = Training::online;
  SampleOrder order = SampleOrder::shuffled;
  std::string order_file;  // "file.h5:/path", resolved
  Location order_where;
  Decay sigma_decay = Decay::linear, eta_decay = Decay::linear;
  DecayPer decay_per = DecayPer::epoch;
  std::optional<double> sigma_end, eta_end;  // present exactly where the decay has an end
  Neighborhood neighborhood = Neighborhood::gaussian;
  MapInitial initial = MapInitial::sample;
  double uniform_low = 0, uniform_high = 0;  // scaled space
  std::string initial_file;                  // "file.h5:/path", resolved
  Location initial_where;
  MapDistance distance = MapDistance::euclidean;
};

struct SomStore {
  bool weights = true, assignments = true, hits = true;
};

struct SomSettings {
  std::string file;  // the sweep file as the user named it
  SomData data;
  SweepSettings sweep;
  SomTraining training;
  std::uint64_t seed = 1;
  Precision precision = Precision::real32;
  SomStore store;
};

struct LoadedSom {
  SomSettings settings;
  std::vector<EffectiveValue> effective;
  [[nodiscard]] std::string toml() const;  // the effective configuration as a TOML document (no origins)
};

/// Reads and checks a sweep file. Every fault is one Error with file:line: 66 when the file is missing, 78 otherwise.
[[nodiscard]] LoadedSom load_som(const std::string& path, const std::vector<Override>& overrides);

[[nodiscard]] bool is_grid(MapTopology topology);    // its shape comes from `shapes`, not `neurons`
[[nodiscard]] bool is_toroid(MapTopology topology);  // both sides wrap
[[nodiscard]] bool has_end(Decay decay);             // needs sigma_end or eta_end

/// Names as the user writes them.
[[nodiscard]] const char* name_of(MapTopology);
[[nodiscard]] const char* name_of(Scaling);
[[nodiscard]] const char* name_of(Training);
[[nodiscard]] const char* name_of(SampleOrder);
[[nodiscard]] const char* name_of(Decay);
[[nodiscard]] const char* name_of(DecayPer);
[[nodiscard]] const char* name_of(Neighborhood);
[[nodiscard]] const char* name_of(MapInitial);
[[nodiscard]] const char* name_of(MapDistance);

}  // namespace atl::config
