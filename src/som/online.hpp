// Online training of one group of maps on the device.
#pragma once
#include <span>

#include "som/online_groups.hpp"

namespace atl::som {

/// Weights of group.maps after the last epoch, in that order; empty when engine.stop ended it early.
[[nodiscard]] WeightsOfMaps train_online(Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps);

}  // namespace atl::som
