#include "cli/de_dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/counts.hpp"
#include "cli/agreement.hpp"
#include "cli/de_earlier.hpp"
#include "cli/progress.hpp"
#include "device/human_bytes.hpp"

namespace atl::cli {
namespace {

/// What the file leaves out and the number of parameters decides, as the run will record it.
std::vector<config::EffectiveValue> with_defaults(std::vector<config::EffectiveValue> values,
                                                  const de::IslandPlan& island) {
  config::resolve(values, "algorithm.population", std::to_string(island.members));
  if (island.adaptive) config::resolve(values, "algorithm.schedule_evaluations", std::to_string(island.schedule));
  config::resolve(values, "stop.evaluations", std::to_string(island.evaluations));
  return values;
}

void print_configuration(const std::vector<config::EffectiveValue>& values) {
  std::size_t width = 0;
  for (const auto& value : values) width = std::max(width, value.key.size() + 3 + value.value.size());
  width = std::min<std::size_t>(width, 64);
  fmt::print("configuration\n");
  for (const auto& value : values) {
    fmt::print("  {:<{}}  # {}\n", fmt::format("{} = {}", value.key, value.value), width, value.origin);
  }
}

struct Machine {
  double units = 0;  // of all ranks
  bool gpu = false, complete = true;
  std::vector<unsigned> units_of_ranks;
};

/// Every rank's device: printed by rank 0, added up on all.
Machine print_devices(const RankDevice& mine, const cluster::Communicator& communicator) {
  const unsigned units = mine.chosen ? mine.chosen->compute_units : 0;
  const std::string name = mine.chosen ? mine.chosen->name : "no device: " + mine.refusal;
  const bool own_gpu = mine.chosen && mine.chosen->gpu;
  const auto counts = communicator.gather_all(std::to_string(units));
  const auto lines =
      communicator.gather_all(fmt::format("{:>4}  {}  {}", communicator.rank(), communicator.host(), name));
  Machine machine;
  machine.gpu = communicator.max(std::int64_t{own_gpu}) != 0;
  for (const std::string& count : counts) {
    machine.units_of_ranks.push_back(static_cast<unsigned>(std::stoul(count)));
    machine.units += machine.units_of_ranks.back();
    machine.complete = machine.complete && machine.units_of_ranks.back() > 0;
  }
  if (communicator.root()) {
    fmt::print("\ndevices (rank, host, device)\n");
    for (const std::string& line : lines) fmt::print("  {}\n", line);
  }
  return machine;
}

const char* shape_text(de::Shape shape) {
  return shape == de::Shape::island_a_group ? "A: a work-group is an island"
                                            : "B: a work-group is a member, its work-items share the rows";
}

}  // namespace

double estimated_seconds(const de::Problem& problem, double evaluations, double compute_units, bool gpu,
                         bool single_precision) {
  // Additions a second of a compute unit, seen with the 27-row product model; random numbers cost about 12 a gene.
  const double unit = gpu ? (single_precision ? 1.4e11 : 1.0e11) : (single_precision ? 6e9 : 3e9);
  const double work = de::operations(problem) + 12 * static_cast<double>(problem.free()) + 30;
  return evaluations * work / (unit * compute_units);
}

double result_bytes(const de::Problem& problem, const de::IslandPlan& island, std::int64_t islands) {
  const auto members = static_cast<double>(island.adaptive ? 4 : island.members);  // the adaptive ones shrink to 4
  const auto dimension = static_cast<double>(problem.dimension());
  const auto count = static_cast<double>(islands);
  return 20'000 + 8 * (count * (members + 1) * (dimension + 1) + 2 * static_cast<double>(problem.rows()) + 200 * count);
}

namespace {

/// On rank 0, for its device; the others hold as many islands, one more or less.
void print_device_plan(const config::DeSettings& settings, const de::Problem& problem, const DryRunOptions& options,
                       const RankDevice& mine, const de::IslandPlan& island, std::int64_t islands, std::size_t ranks) {
  const std::int64_t local = de::first_island(islands, 1, static_cast<int>(ranks));
  const de::DevicePlan plan = de::plan_device(island, settings, problem, *mine.chosen, islands, local, options.shape);
  fmt::print("  kernel shape    {}\n", shape_text(plan.shape));
  fmt::print("  device memory   {} on rank 0\n", device::human_bytes(plan.bytes));
}

void print_plan(const config::DeSettings& settings, const de::Problem& problem, const DryRunOptions& options,
                const RankDevice& mine, const Machine& machine) {
  const de::IslandPlan island = de::plan_island(settings, problem);
  fmt::print("\nplan\n  parameters      {} free of {}\n", problem.free(), problem.dimension());
  if (problem.table) fmt::print("  table           {} of {}\n", counted(problem.rows(), "row"), problem.table->source);
  if (settings.islands.automatic && !machine.complete) {
    fmt::print("  islands         \"auto\": as many as fill the devices, of {}\n", counted(island.members, "member"));
    fmt::print("  evaluations     {} an island\n  result          {}\n", island.evaluations, options.output);
    return;
  }
  const std::int64_t islands =
      settings.islands.automatic ? de::automatic_islands(machine.units_of_ranks, machine.gpu) : settings.islands.count;
  const double evaluations = static_cast<double>(island.evaluations) * static_cast<double>(islands);
  fmt::print("  islands         {} of {}\n", grouped(islands), counted(island.members, "member"));
  fmt::print("  evaluations     {} an island, {} in all\n", island.evaluations, human_count(evaluations));
  if (mine.chosen) {
    print_device_plan(settings, problem, options, mine, island, islands, machine.units_of_ranks.size());
  }
  fmt::print("  result          about {} -> {}\n",
             device::human_bytes(static_cast<std::size_t>(result_bytes(problem, island, islands))), options.output);
  if (machine.units == 0) {
    fmt::print("  estimated time  unknown: no device here\n");
    return;
  }
  const bool single = settings.run.precision == config::Precision::real32;
  fmt::print("  estimated time  {} of search, right within a factor of a few, after about a second to start\n",
             human_seconds(estimated_seconds(problem, evaluations, machine.units, machine.gpu, single)));
}

void print_resume(const EarlierDe& earlier, const std::string& output) {
  fmt::print("\nwith --resume\n");
  if (earlier.finished) fmt::print("  {} is finished already; nothing to do\n", output);
  for (const std::string& note : earlier.notes) fmt::print("  {}\n", note);
}

}  // namespace

void de_dry_run(const config::LoadedDe& loaded, const de::Problem& problem, const DryRunOptions& options,
                const RankDevice& mine, const cluster::Communicator& communicator) {
  EarlierDe earlier;
  together(communicator, [&] {
    if (!communicator.root()) return;
    if (options.resume) earlier = earlier_to_resume(options.output, options.force, loaded, problem);
    de::IslandPlan island = de::plan_island(loaded.settings, problem);
    if (earlier.checkpoint) island.schedule = earlier.checkpoint->schedule;  // that of the first leg
    print_configuration(with_defaults(loaded.effective, island));
  });
  const Machine machine = print_devices(mine, communicator);
  together(communicator, [&] {  // a plan that does not fit is refused like the run itself
    if (!communicator.root()) return;
    print_plan(loaded.settings, problem, options, mine, machine);
    if (options.resume) print_resume(earlier, options.output);
  });
}

}  // namespace atl::cli
