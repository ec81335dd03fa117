#include "de/stopping.hpp"

#include <algorithm>
#include <cmath>

#include "de/rules.hpp"

namespace atl::de {
namespace {

using draws64::ranks_before;

bool tolerance_on(const config::StopSettings& settings) {
  return settings.tolerance_relative > 0 || settings.tolerance_absolute > 0;
}

bool within_tolerance(const config::StopSettings& settings, const IslandStatistics& island, std::int64_t members) {
  return island.finite == members &&
         island.std <= settings.tolerance_absolute + settings.tolerance_relative * std::fabs(island.mean);
}

}  // namespace

const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::none:
      return "none";
    case StopReason::evaluations:
      return "evaluations";
    case StopReason::generations:
      return "generations";
    case StopReason::value_to_reach:
      return "value_to_reach";
    case StopReason::tolerance:
      return "tolerance";
    case StopReason::stagnation:
      return "stagnation";
    case StopReason::time:
      return "time";
    case StopReason::no_finite_energy:
      return "no_finite_energy";
    case StopReason::signal:
      return "signal";
    case StopReason::max_time:
      return "max_time";
  }
  return "none";
}

std::string message_of(StopReason reason, const config::StopSettings& settings) {
  switch (reason) {
    case StopReason::evaluations:
      return "the budget of evaluations is used up";
    case StopReason::generations:
      return fmt::format("{} generations are done", settings.generations.value_or(0));
    case StopReason::value_to_reach:
      return fmt::format("an island reached the value {:.17g}", settings.value_to_reach.value_or(0));
    case StopReason::tolerance:
      return fmt::format("every island's energies agree within the tolerance (relative {:g}, absolute {:g})",
                         settings.tolerance_relative, settings.tolerance_absolute);
    case StopReason::stagnation:
      return fmt::format("no better energy within {} generations", settings.stagnation.value_or(0));
    case StopReason::time:
      return fmt::format("{:g} s of search are over", settings.seconds.value_or(0));
    case StopReason::no_finite_energy:
      return "every energy of the first population is NaN or infinite: the objective gives no number anywhere in the "
             "box";
    case StopReason::signal:
      return "stopped by a signal; the result so far was written";
    case StopReason::max_time:
      return "--max-time is over; the result so far was written";
    case StopReason::none:
      break;
  }
  return "running";
}

bool is_interruption(StopReason reason) {
  return reason == StopReason::signal || reason == StopReason::max_time;
}

bool Stopping::depends_on_energies() const {
  return settings_.value_to_reach || settings_.stagnation || tolerance_on(settings_);
}

StopReason Stopping::check(const std::vector<IslandStatistics>& islands, std::int64_t members, std::int64_t generation,
                           bool exhausted) {
  double best = islands.front().best;
  std::int64_t finite = 0;
  for (const IslandStatistics& island : islands) {
    if (ranks_before(island.best, best)) best = island.best;
    finite += island.finite;
  }
  if (!state_.seen || ranks_before(best, state_.best)) state_ = {true, best, generation};
  if (generation == 0 && finite == 0) return StopReason::no_finite_energy;
  if (settings_.value_to_reach && best <= *settings_.value_to_reach) return StopReason::value_to_reach;
  if (tolerance_on(settings_) && std::all_of(islands.begin(), islands.end(), [&](const IslandStatistics& island) {
        return within_tolerance(settings_, island, members);
      }))
    return StopReason::tolerance;
  if (settings_.stagnation && generation - state_.improved >= *settings_.stagnation) return StopReason::stagnation;
  if (exhausted) return StopReason::evaluations;
  if (settings_.generations && generation >= *settings_.generations) return StopReason::generations;
  return StopReason::none;
}

}  // namespace atl::de
