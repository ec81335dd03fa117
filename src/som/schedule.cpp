#include "som/schedule.hpp"

#include "som/kernel_functions.hpp"

namespace atl::som {
namespace {

SigmaEta at(const MapSetting& map, const config::SomTraining& training, std::uint64_t e, std::uint64_t count) {
  return {kernel::decayed(static_cast<int>(training.sigma_decay), map.sigma, training.sigma_end.value_or(0), e, count),
          kernel::decayed(static_cast<int>(training.eta_decay), map.eta, training.eta_end.value_or(0), e, count)};
}

}  // namespace

SigmaEta sigma_eta_at(const MapSetting& map, const config::SomTraining& training, std::size_t points,
                      std::int64_t epoch) {
  const std::uint64_t unit = training.decay_per == config::DecayPer::step ? points : 1;
  return at(map, training, static_cast<std::uint64_t>(epoch) * unit, static_cast<std::uint64_t>(map.epochs) * unit);
}

SigmaEta last_sigma_eta(const MapSetting& map, const config::SomTraining& training, std::size_t points) {
  const std::uint64_t unit = training.decay_per == config::DecayPer::step ? points : 1;
  const std::uint64_t count = static_cast<std::uint64_t>(map.epochs) * unit;
  return at(map, training, count - 1, count);
}

}  // namespace atl::som
