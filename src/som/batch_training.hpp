// Batch training: every neuron moves to the weighted mean of all points at once, an epoch at a time.
#pragma once
#include <span>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

/// Which maps are trained together: same epochs, and their winners fit into memory at once.
[[nodiscard]] std::vector<std::vector<std::size_t>> batch_groups(const Engine& engine,
                                                                 std::span<const MapSetting> maps);

/// Weights of the chosen maps after the last epoch, in that order; empty when engine.stop ended it early.
[[nodiscard]] WeightsOfMaps train_batch(Engine& engine, const std::vector<std::size_t>& chosen,
                                        std::span<const MapSetting> maps);

}  // namespace atl::som
