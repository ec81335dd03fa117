// The islands of one rank on its device: buffers and kernels behind plain calls. Energies and points come back in
// double whatever the working precision; points are search vectors u.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/de_settings.hpp"
#include "de/checkpoint_islands.hpp"
#include "de/plan.hpp"
#include "de/problem.hpp"
#include "device/opencl.hpp"

namespace atl::de {

struct IslandStatistics {
  double best = 0;           // energy of the best member
  double mean = 0, std = 0;  // of the finite energies; NaN without any
  std::int64_t finite = 0;   // members with a finite energy
  int best_member = 0;
};

struct IslandCounters {
  std::int64_t members = 0;
  std::int64_t nan = 0, inf = 0;          // evaluations with such an energy
  std::int64_t value_to_reach_nfev = -1;  // evaluations at the first energy at or below the value to reach
};

/// Members in search coordinates: points[(island * members + member) * free + k], energies[island * members + member].
struct Populations {
  std::int64_t members = 0;
  std::vector<double> points, energies;
};

struct Emigrants {
  std::vector<double> energies;  // rows: local island * migrants + k
  std::vector<double> points;    // rows of `free`; empty unless asked for
};

/// What every island of a rank takes in: rows of the emigrants buffer in the order in which they are tried.
struct Arrivals {
  std::vector<std::int32_t> rows, sources;  // one a candidate: row of the emigrants buffer, global id of its island
  std::vector<std::int32_t> first, number;  // one a local island: its part of rows
  std::vector<double> remote_energies, remote_points;  // rows behind the local ones
};

/// How a search is set up on one rank.
struct EngineSetup {
  const Problem& problem;
  const config::DeSettings& settings;
  IslandPlan island;
  DevicePlan device_plan;
  std::int64_t first_island = 0, islands = 0;  // of this rank
  std::vector<double>
      initial;  // given first members (u): islands * members * free in the order of Populations; or empty
};

class Engine {
 public:
  /// Builds the program and allocates the buffers. Errors: 65 for the user's objective, 69 for memory.
  Engine(const device::Device& device, const EngineSetup& setup);
  ~Engine();
  Engine(Engine&&) noexcept;

  /// Launches every kernel once without effect, so that later launches find it compiled.
  void warm_up();
  /// Generation 0: first members and their energies.
  void initialize();
  /// All that the islands keep from one generation to the next.
  [[nodiscard]] IslandStates snapshot();
  /// Instead of initialize(): islands as they were after `generation`, each with so many evaluations.
  void restore(const IslandStates& states, std::int64_t generation, std::int64_t evaluations);
  /// The next `generations` of all islands. Returns when the device is done; `meanwhile` runs while it is busy.
  void advance(std::int64_t generations, const std::function<void()>& meanwhile = {});

  [[nodiscard]] std::int64_t generation() const;
  [[nodiscard]] const Schedule& schedule() const;
  [[nodiscard]] double seconds_a_generation() const;  // of the last advance()
  [[nodiscard]] double busy_seconds() const;          // device time of all kernels so far

  /// Asks for statistics of the islands as they are now, without waiting for the device.
  void start_statistics();
  /// What start_statistics() asked for; where nothing was asked for, the statistics of now.
  [[nodiscard]] std::vector<IslandStatistics> statistics();
  [[nodiscard]] std::vector<IslandCounters> counters();
  [[nodiscard]] std::vector<double> member(std::int64_t local_island, int member);  // u
  [[nodiscard]] Populations download();
  /// F and CR memories of an island, for tests: memory_f then memory_cr.
  [[nodiscard]] std::vector<double> memories(std::int64_t local_island);

  /// Members travel in four steps. The first and the third do not wait for the device; each may be taken back once.
  void emigrate(bool with_points);
  [[nodiscard]] Emigrants emigrants();  // of the last emigrate()
  void immigrate(const Arrivals& arrivals);
  /// One flag a candidate of each island in turn: whether the last immigrate() let it in.
  [[nodiscard]] std::vector<std::uint8_t> accepted();

  /// f at search vectors (rows of `free`), by the kernels of the search.
  [[nodiscard]] std::vector<double> evaluate(const std::vector<double>& points);
  /// Each row's part of the objective at u; empty when it is not a sum over rows.
  [[nodiscard]] std::vector<double> row_parts(const std::vector<double>& u);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace atl::de
