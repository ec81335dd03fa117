// All measures of som/map.hpp on the device, for many maps at once.
#pragma once
#include <span>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

/// So many maps measured in one call keep the device busy, and what they need fits: on it, and in the host's caches.
[[nodiscard]] std::size_t maps_measured_at_once(const Engine& engine);

/// Assigns the points to the neurons of each map and measures. `weights[i]` are those of maps[i], row-major; they move
/// into the result. At most maps_measured_at_once().
[[nodiscard]] std::vector<TrainedMap> measure(Engine& engine, std::span<const MapSetting> maps,
                                              std::span<std::vector<double>> weights);

}  // namespace atl::som
