// When a search ends. Deciding checks look only at what all islands know at a fixed generation, so the bits never
// follow the clock; signals and time only say that it is late.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "config/de_settings.hpp"
#include "de/engine.hpp"

namespace atl::de {

enum class StopReason : std::int64_t {
  none,
  evaluations,
  generations,
  value_to_reach,
  tolerance,
  stagnation,
  time,
  no_finite_energy,
  signal,
  max_time
};

/// "evaluations", "signal" ...: the attribute stop_reason.
[[nodiscard]] const char* name_of(StopReason reason);
/// A sentence for a person.
[[nodiscard]] std::string message_of(StopReason reason, const config::StopSettings& settings);
/// Ended early, to be gone on with: a signal or --max-time.
[[nodiscard]] bool is_interruption(StopReason reason);

/// What the checks remember of the generations before.
struct StoppingState {
  bool seen = false;
  double best = 0;
  std::int64_t improved = 0;  // generation
};

/// Checks at fixed generations, in this order: nothing finite in the first population, value_to_reach, tolerance,
/// stagnation, evaluations, generations. Keeps the generation of the last improvement.
class Stopping {
 public:
  explicit Stopping(const config::StopSettings& settings, const StoppingState& state = {})
      : settings_(settings), state_(state) {}

  /// `islands`: all islands of the job in order, at `generation`; `exhausted`: the budget of evaluations is used up.
  [[nodiscard]] StopReason check(const std::vector<IslandStatistics>& islands, std::int64_t members,
                                 std::int64_t generation, bool exhausted);
  /// Whether energies can end the search: without such a condition its last generation is known from the start.
  [[nodiscard]] bool depends_on_energies() const;
  [[nodiscard]] const StoppingState& state() const { return state_; }

 private:
  config::StopSettings settings_;
  StoppingState state_;
};

}  // namespace atl::de
