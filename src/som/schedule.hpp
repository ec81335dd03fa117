// How sigma and eta fall during the training of a map.
#pragma once
#include <cstdint>

#include "som/map.hpp"

namespace atl::som {

struct SigmaEta {
  double sigma = 0, eta = 0;
};

/// The values that the last epoch or, where they fall by the step, the last step is trained with.
[[nodiscard]] SigmaEta last_sigma_eta(const MapSetting& map, const config::SomTraining& training, std::size_t points);

/// The values in `epoch`, counted from 0; with decay_per = step those of its first step.
[[nodiscard]] SigmaEta sigma_eta_at(const MapSetting& map, const config::SomTraining& training, std::size_t points,
                                    std::int64_t epoch);

}  // namespace atl::som
