#include "de/plan.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "de/rules.hpp"
#include "device/human_bytes.hpp"

namespace atl::de {
namespace {

int own_population(config::AlgorithmName name, std::size_t free) {
  const double dimension = static_cast<double>(std::max<std::size_t>(free, 1));
  switch (name) {
    case config::AlgorithmName::classic:
      return std::max(6, static_cast<int>(15 * dimension));
    case config::AlgorithmName::jso:
      return std::max(18, static_cast<int>(std::lround(25 * std::log(dimension) * std::sqrt(dimension))));
  }
  fail(ExitCode::internal, "no population rule for this algorithm");
}

int round_up(int value, int step) {
  return (value + step - 1) / step * step;
}

/// A short trial of a work-item's only member fits its registers.
bool one_member_a_work_item(const DevicePlan& plan, const IslandPlan& island, std::size_t free) {
  return plan.group >= island.members && free <= 32;
}

/// Bytes of local memory that an island needs during a launch of shape A.
std::size_t local_bytes(const IslandPlan& island, int free, int stride, int group, bool own_trials,
                        std::size_t real_bytes) {
  const auto genes = static_cast<std::size_t>(free), members = static_cast<std::size_t>(stride);
  const auto archive = static_cast<std::size_t>(island.archive);
  std::size_t reals = (own_trials ? 1 : 2) * genes * members + 2 * members;
  std::size_t words = 0;
  if (island.adaptive) {
    reals += 3 * members + genes * archive;
    words += members + archive + members / 32 + 1;
  }
  const std::size_t scratch = static_cast<std::size_t>(group) * (real_bytes + 4) + real_bytes * 6 * 32;
  const std::size_t shared = 2 * static_cast<std::size_t>(island.memory) * real_bytes + 64;
  return reals * real_bytes + words * 4 + scratch + shared;
}

/// Bytes of all buffers of a rank; what Engine allocates.
std::size_t global_bytes(const IslandPlan& island, const DevicePlan& plan, std::size_t free, std::size_t islands,
                         std::size_t real_bytes, std::size_t table_values) {
  const auto members = static_cast<std::size_t>(plan.stride);
  const auto archive = static_cast<std::size_t>(island.archive);
  std::size_t reals = free * members + members;
  std::size_t words = 0;
  if (!plan.island_is_local) reals += free * members + members;
  if (island.adaptive) reals += free * archive;
  if (island.adaptive && !plan.island_is_local) {
    reals += 3 * members;
    words += members + archive + members / 32 + 1;
  }
  reals += 2 * static_cast<std::size_t>(island.memory) + 4 + static_cast<std::size_t>(island.migrants) * (free + 1);
  return islands * (reals * real_bytes + words * 4 + 64) + table_values * real_bytes;
}

/// Shape B pays three launches a generation, so it wants work enough in each, and an island too heavy for one group.
/// Counted from the job as a whole.
bool wants_member_a_group(double work, const IslandPlan& island, const device::DeviceInfo& device, std::int64_t islands,
                          std::size_t rows) {
  if (device.gpu) return rows > 64 && work > 20'000;
  return islands < static_cast<std::int64_t>(device.compute_units) && work * island.members > 200'000;
}

}  // namespace

IslandPlan plan_island(const config::DeSettings& settings, const Problem& problem) {
  IslandPlan plan;
  plan.adaptive = settings.algorithm.name == config::AlgorithmName::jso;
  plan.members = settings.algorithm.population.value_or(own_population(settings.algorithm.name, problem.free()));
  plan.evaluations = settings.stop.evaluations.value_or(10'000 * static_cast<std::int64_t>(problem.free()));
  if (problem.free() == 0) plan.evaluations = 1;
  plan.schedule = settings.algorithm.schedule_evaluations.value_or(plan.evaluations);
  if (plan.adaptive) {
    plan.archive = std::max(1, plan.members);
    plan.memory = 5;
  }
  const std::int64_t fewest = plan.adaptive ? std::min(4, plan.members) : plan.members;
  plan.migrants = std::min<std::int64_t>(settings.migration.migrants, fewest);
  return plan;
}

DevicePlan plan_device(const IslandPlan& island, const config::DeSettings& settings, const Problem& problem,
                       const device::DeviceInfo& device, std::int64_t islands, std::int64_t local_islands,
                       std::optional<char> forced_shape) {
  DevicePlan plan;
  const std::size_t real_bytes = settings.run.precision == config::Precision::real32 ? 4 : 8;
  const int free = static_cast<int>(std::max<std::size_t>(problem.free(), 1));
  plan.lanes = !device.gpu;
  if (plan.lanes) {
    // Sixteen lanes keep the vector units busy; a long x makes the private arrays of a group large, so fewer then.
    plan.group = problem.dimension() <= 2'000 ? 16 : 1;
  } else {
    plan.group = std::min({round_up(island.members, 32), 256, static_cast<int>(device.largest_group)});
  }
  plan.stride = round_up(island.members, plan.group);
  const bool member_a_group = forced_shape
                                  ? *forced_shape == 'B'
                                  : wants_member_a_group(operations(problem), island, device, islands, problem.rows());
  plan.shape = member_a_group ? Shape::member_a_group : Shape::island_a_group;
  plan.row_group = device.gpu ? 64 : 1;
  const bool own_trials = one_member_a_work_item(plan, island, problem.free());
  plan.island_is_local =
      plan.shape == Shape::island_a_group && device.gpu &&
      local_bytes(island, free, plan.stride, plan.group, own_trials, real_bytes) + 512 <= device.local_memory;
  plan.bytes = global_bytes(island, plan, static_cast<std::size_t>(free), static_cast<std::size_t>(local_islands),
                            real_bytes, problem.table ? problem.table->values.size() : 0);
  // A CPU's memory also holds what rank 0 gathers at the end: the populations as they come, decoded, and in the file.
  const std::size_t gathered = 3 * sizeof(double) * static_cast<std::size_t>(local_islands) *
                               static_cast<std::size_t>(island.members) * problem.dimension();
  if (!device.gpu) plan.bytes += gathered;
  if (plan.bytes > device.global_memory)
    fail(ExitCode::no_device,
         "{}: {} islands of {} members and {} parameters need {} of memory, the device has {}; allowed: fewer "
         "islands or members, or more ranks with a device each",
         device.name, local_islands, island.members, problem.free(), device::human_bytes(plan.bytes),
         device::human_bytes(device.global_memory));
  return plan;
}

int attendants(const DevicePlan& plan) {
  return plan.lanes ? 1 : plan.group;
}

bool trial_is_private(const DevicePlan& plan, const IslandPlan& island, std::size_t free) {
  return plan.island_is_local && one_member_a_work_item(plan, island, free);
}

std::int64_t automatic_islands(const std::vector<unsigned>& compute_units_of_ranks, bool gpu) {
  std::int64_t islands = 0;
  for (const unsigned units : compute_units_of_ranks) islands += (gpu ? 8 : 1) * std::int64_t{units};
  return std::max<std::int64_t>(islands, 1);
}

std::int64_t first_island(std::int64_t islands, int rank, int ranks) {
  return (islands * rank + ranks - 1) / ranks;
}

Step Schedule::next() {
  const Step step{members_, std::min(members_, plan_.evaluations - evaluations_)};
  const bool first = evaluations_ == 0;
  evaluations_ += step.count;
  if (plan_.adaptive && !first)
    members_ =
        std::min<std::int64_t>(members_, draws64::scheduled_population(static_cast<std::uint32_t>(plan_.members),
                                                                       static_cast<std::uint64_t>(evaluations_),
                                                                       static_cast<std::uint64_t>(plan_.schedule)));
  return step;
}

}  // namespace atl::de
