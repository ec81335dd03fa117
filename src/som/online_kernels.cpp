#include "som/online_kernels.hpp"

#include <algorithm>
#include <array>

namespace atl::som {
namespace {

constexpr std::array<std::string_view, 8> register_files = {
    "common/philox.cl", "som/schedule.cl", "som/order.cl",       "som/task.cl",
    "som/lanes.cl",     "som/distance.cl", "som/point_order.cl", "som/train_registers.cl"};
constexpr std::array<std::string_view, 8> vector_files = {
    "common/philox.cl", "som/schedule.cl", "som/order.cl",       "som/task.cl",
    "som/lanes.cl",     "som/distance.cl", "som/point_order.cl", "som/train_vectors.cl"};

constexpr std::array<std::string_view, 8> team_files = {"common/philox.cl", "som/schedule.cl",  "som/order.cl",
                                                        "som/task.cl",      "som/width.cl",     "som/distance.cl",
                                                        "som/team.cl",      "som/train_team.cl"};
constexpr std::array<std::string_view, 8> group_files = {"common/philox.cl", "som/schedule.cl",   "som/order.cl",
                                                         "som/task.cl",      "som/width.cl",      "som/distance.cl",
                                                         "som/team.cl",      "som/train_group.cl"};

/// With the warp instructions of NVIDIA, unless its compiler refuses them in both spellings.
template <typename Options>
cl::Kernel gpu_kernel(Engine& engine, const char* name, std::span<const std::string_view> files,
                      const Options& options) {
  for (const char* keyword : {"__asm__", "asm"}) {
    if (!engine.warp_instructions) break;
    try {
      return kernel(engine, name, files, engine.single(), options() + " -DATOLL_PTX -DATOLL_ASM=" + keyword);
    } catch (const Error&) {
      continue;
    }
  }
  engine.warp_instructions = false;
  return kernel(engine, name, files, engine.single(), options());
}

/// Tables first, then the points, as far as local memory goes beside what train_team.cl declares itself.
void plan_local_memory(const Engine& engine, const OnlineGroup& group, std::size_t longest_table, bool streamed,
                       OnlineKernel& plan) {
  constexpr std::size_t shuffle_bytes = 48;
  constexpr std::size_t position_bytes = 4;
  constexpr std::size_t alignment_bytes = 256;  // at most, all arrays together
  const std::size_t real_bytes = engine.single() ? sizeof(float) : sizeof(double);
  const std::size_t candidate_bytes = engine.single() ? 12 : 16;
  const auto team = static_cast<std::size_t>(group.team);
  const auto teams = static_cast<std::size_t>(group.side_by_side);
  const std::size_t slots = !engine.warp_instructions ? team : team <= 32 ? 1 : team / 16;
  const std::size_t fixed = teams * (slots * candidate_bytes + shuffle_bytes + team * position_bytes) + alignment_bytes;
  const std::size_t whole = engine.device.info.local_memory;
  const std::size_t tables = longest_table * teams * real_bytes;
  const std::size_t stride = engine.columns() == 3 ? 4 : engine.columns();
  const std::size_t points = engine.points() * stride * real_bytes;
  plan.local_table = fixed + tables <= whole ? longest_table : 0;
  plan.cached = !streamed && fixed + (plan.local_table > 0 ? tables : 0) + points <= whole ? points : 0;
}

}  // namespace

OnlineKernel online_kernel(Engine& engine, const OnlineGroup& group, std::size_t longest_table, bool streamed) {
  const std::string common = data_options(engine) + (streamed ? " -DSTREAMED" : "");
  const std::string per_step = engine.inputs.training.decay_per == config::DecayPer::step ? " -DPER_STEP" : "";
  OnlineKernel result;
  switch (group.variant) {
    case Variant::registers:
      result.kernel = kernel(engine, "train_registers", register_files, engine.single(),
                             fmt::format("{} -DBLOCKS={} -DMAPS={}", common, group.blocks, group.side_by_side));
      break;
    case Variant::team:
      result.kernel = gpu_kernel(engine, "train_team", team_files, [&] {
        plan_local_memory(engine, group, longest_table, streamed, result);
        return fmt::format("{} -DWIDTH=1 -DTEAM={} -DEACH={} -DTEAMS={}{}{}{}{}", common, group.team,
                           group.neurons_each, group.side_by_side, group.grid ? " -DGRID" : "",
                           result.cached > 0 ? " -DCACHED" : "", result.local_table > 0 ? " -DLOCAL_TABLE" : "",
                           per_step);
      });
      break;
    case Variant::group:
      result.kernel = gpu_kernel(engine, "train_group", group_files, [&] {
        return fmt::format("{} -DWIDTH=1 -DTEAM={} -DSPAN={}{}", common, group.team, group.span, per_step);
      });
      break;
    default:
      result.kernel =
          kernel(engine, "train_vectors", vector_files, engine.single(),
                 fmt::format("{} -DUNROLLED_COLUMNS={}{}{}", common, engine.columns() <= 16 ? engine.columns() : 1,
                             group.expand ? " -DEXPAND" : "", per_step));
  }
  return result;
}

std::string describe(const Engine& engine, const OnlineGroup& group, const OnlineKernel& kernel) {
  switch (group.variant) {
    case Variant::registers:
      return fmt::format("registers {}x{}", group.blocks, group.side_by_side);
    case Variant::team:
      return fmt::format("team {}x{} x{}{}{}", group.team, group.neurons_each, group.side_by_side,
                         engine.warp_instructions ? " ptx" : "", kernel.cached > 0 ? " cached" : "");
    case Variant::group:
      return fmt::format("group {}/{}{}", group.team, group.span, engine.warp_instructions ? " ptx" : "");
    default:
      return "vectors";
  }
}

}  // namespace atl::som
