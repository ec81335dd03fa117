// What is known of a sweep before its first map is trained; it fixes every size of the result file.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "store/de_result.hpp"  // Provenance

namespace atl::store {

/// Measures of a map in the order in which a file and a batch hold them.
inline constexpr std::array<const char*, 11> som_measures = {
    "quantization_error", "mean_squared_error", "topographic_error",    "topographic_error_8",
    "distortion",         "kaski_lagus_error",  "explained_variance",   "empty_neurons",
    "davies_bouldin",     "calinski_harabasz",  "simplified_silhouette"};
using SomMeasures = std::array<double, som_measures.size()>;

/// Position of a measure in som_measures, for code that needs one by name.
[[nodiscard]] std::size_t som_measure(const char* name);

/// Settings of maps or of groups of maps, a column each.
struct SomColumns {
  std::vector<std::int64_t> neurons, rows, columns, epochs;
  std::vector<std::string> topology;
  std::vector<double> sigma, eta;
};

struct SomLayout {
  Provenance provenance;              // `finished`, `seconds` and `ranks` are those of the last leg
  std::string identity;               // everything that decides the maps, a "key = value" line each; see --resume
  std::vector<std::string> names;     // m columns of the data
  std::vector<double> offset, scale;  // m
  std::int64_t points = 0;            // n
  bool weights = true, assignments = true, hits = true;
  bool double_weights = false;
  SomColumns maps;                      // S, in sweep order
  std::vector<std::int64_t> replicate;  // S, from 0
  std::vector<std::uint64_t> stream;    // S: with the seed of the sweep it decides every draw of a map
  std::size_t settings = 0;             // rows of /summary
  std::size_t groups = 0;               // rows of /summary/suggestion

  [[nodiscard]] std::size_t size() const { return maps.neurons.size(); }
  [[nodiscard]] std::size_t weight_bytes() const { return double_weights ? 8 : 4; }
  /// Bytes that one map adds to the file.
  [[nodiscard]] std::uint64_t map_bytes(std::size_t map) const;
};

/// Trained maps, one after another in flat arrays.
struct SomBatch {
  std::vector<std::int64_t> index;  // in the sweep
  std::vector<double> seconds;
  std::vector<SomMeasures> measures;
  std::vector<std::byte> weights;         // in the data's own units and the file's precision; empty unless stored
  std::vector<std::int32_t> assignments;  // n a map; empty unless stored
  std::vector<std::int32_t> hits;         // neurons a map; empty unless stored
  std::int32_t rank = 0;
};

/// As one message, and back. `unpack` throws 70 for bytes that `pack` did not make.
[[nodiscard]] std::vector<std::byte> pack(const SomBatch& batch);
[[nodiscard]] std::size_t packed_bytes(const SomBatch& batch);
[[nodiscard]] SomBatch unpack_som_batch(const std::vector<std::byte>& bytes);

}  // namespace atl::store
