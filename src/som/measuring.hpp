// All measures of som/map.hpp on the device, for many maps at once.
#pragma once
#include <span>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

/// Assigns the points to the neurons of each map and measures. `weights[i]` are those of maps[i], row-major.
[[nodiscard]] std::vector<TrainedMap> measure(Engine& engine, std::span<const MapSetting> maps,
                                              WeightsOfMaps&& weights);

}  // namespace atl::som
