// A plain, slow, obvious SOM in C++: what the device kernels are compared with.
#pragma once
#include <vector>

#include "som/trainer.hpp"

namespace atl::som {

/// Trains and measures one map in double, one point, neuron and column after the other.
[[nodiscard]] TrainedMap reference_map(const MapSetting& map, const TrainerInputs& inputs);

/// Nearest neuron of each point and, for all of them but -1, the distance: brute force, lowest index on ties.
[[nodiscard]] double reference_distance(config::MapDistance distance, const double* x, const double* w,
                                        std::size_t columns);

/// Measures of given weights; `sigma` is that of the last epoch or step.
[[nodiscard]] TrainedMap reference_measures(const MapSetting& map, const TrainerInputs& inputs,
                                            const std::vector<double>& weights, double sigma);

}  // namespace atl::som
