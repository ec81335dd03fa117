// What a search will do before it does it: sizes, kernel shape, memory. Pure arithmetic, used by the run and by
// --dry-run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "config/de_settings.hpp"
#include "de/problem.hpp"
#include "device/device_info.hpp"

namespace atl::de {

/// Sizes of an island, the same on all ranks whatever their devices.
struct IslandPlan {
  int members = 0;               // NP of the first generation
  bool adaptive = false;         // has memories, an archive and a shrinking population
  int archive = 1;               // largest archive
  int memory = 1;                // slots of F and CR memory
  std::int64_t evaluations = 0;  // budget of an island
  std::int64_t schedule = 0;     // evaluations over which the population shrinks
  std::int64_t migrants = 1;     // cut to the smallest population
};

enum class Shape { island_a_group, member_a_group };  // A, B

/// How one rank computes its islands. Never decides a bit of the result.
struct DevicePlan {
  Shape shape = Shape::island_a_group;
  int group = 1;                 // work-items of a group
  int stride = 1;                // members padded to whole groups
  bool lanes = false;            // a CPU: phases split for its vector units
  bool island_is_local = false;  // the island lives in local memory during a launch
  int row_group = 1;             // work-items that share the rows of a member, shape B
  std::size_t bytes = 0;         // device memory of the buffers
};

/// Members by the algorithm's own rule unless given: classic 15 a free parameter, jso max(18, round(25 ln D sqrt D)).
[[nodiscard]] IslandPlan plan_island(const config::DeSettings& settings, const Problem& problem);

/// `islands` of the whole job, `local_islands` of this rank. Throws 69 with the numbers when the buffers do not fit.
[[nodiscard]] DevicePlan plan_device(const IslandPlan& island, const config::DeSettings& settings,
                                     const Problem& problem, const device::DeviceInfo& device, std::int64_t islands,
                                     std::int64_t local_islands, std::optional<char> forced_shape);

/// Work-items of a group in the kernels between launches (statistics, migration). They have little to do: on CPUs one
/// does it alone, and the compiler has no barrier to work around.
[[nodiscard]] int attendants(const DevicePlan& plan);

/// True when every work-item has at most one member, so that its trial may stay in registers during a launch.
[[nodiscard]] bool trial_is_private(const DevicePlan& plan, const IslandPlan& island, std::size_t free);

/// The number that islands = "auto" stands for: groups that fill the devices of all ranks.
[[nodiscard]] std::int64_t automatic_islands(const std::vector<unsigned>& compute_units_of_ranks, bool gpu);

/// First island of `rank`: islands are dealt in blocks; rank 0 always has one, others may have none.
[[nodiscard]] std::int64_t first_island(std::int64_t islands, int rank, int ranks);

/// One generation of an island: how many members it has, and how many of them the budget lets it evaluate.
struct Step {
  std::int64_t members = 0, count = 0;
};

/// Follows population and evaluations from generation to generation; every island of a job is at the same place.
class Schedule {
 public:
  explicit Schedule(const IslandPlan& plan) : plan_(plan), members_(plan.members) {}
  /// Where an earlier run stopped.
  Schedule(const IslandPlan& plan, std::int64_t members, std::int64_t evaluations)
      : plan_(plan), members_(members), evaluations_(evaluations) {}

  Step next();                                                             // generation 0 first; advances
  [[nodiscard]] std::int64_t evaluations() const { return evaluations_; }  // of an island, so far
  [[nodiscard]] std::int64_t members() const { return members_; }
  [[nodiscard]] bool exhausted() const { return evaluations_ >= plan_.evaluations; }

 private:
  IslandPlan plan_;
  std::int64_t members_;
  std::int64_t evaluations_ = 0;
};

}  // namespace atl::de
