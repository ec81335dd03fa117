#include "som/online_groups.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

namespace atl::som {
namespace {

// Weights of a map in vector registers beyond this many spill so much that memory serves better.
constexpr int most_registers = 24;
constexpr int most_blocks = 8;
// A full matrix of influences is built once an epoch up to this many neurons; beyond, it would leave the cache.
constexpr int most_matrix_neurons = 256;
// CPU time of a group; the finished maps of a group are safe when a signal comes.
constexpr double group_seconds = 2.0;
// Of tiny maps: what the host keeps of a group while it is trained stays in memory that it has just used.
constexpr std::size_t most_maps_a_group = 16384;
// A finer class of sizes pays for the build of its kernel from this gain on.
constexpr double build_seconds = 2.0;
// What is done within this time is not worth a kernel of its own, not even one of the cache.
constexpr double soon_seconds = 0.01;

int blocks_of(const MapSetting& map, int lanes) {
  return (map.neurons() + lanes - 1) / lanes;
}

bool per_step(const Engine& engine) {
  return engine.inputs.training.decay_per == config::DecayPer::step;
}

bool fits_registers(const Engine& engine, const MapSetting& map) {
  const int blocks = blocks_of(map, lanes(engine));
  return !per_step(engine) && !engine.inputs.data.missing && blocks <= most_blocks &&
         static_cast<std::size_t>(blocks) * engine.columns() <= most_registers;
}

Variant choose(const Engine& engine, const MapSetting& map) {
  const Variant asked = engine.inputs.variant == Variant::automatic
                            ? (engine.gpu() ? Variant::team : Variant::registers)
                            : engine.inputs.variant;
  if (asked == Variant::registers && !fits_registers(engine, map)) return Variant::vectors;
  if (asked == Variant::team && !fits_team(engine, map)) return Variant::group;
  return asked;
}

// What a step of one map costs on one core, in seconds, with maps side by side (measured on a Zen 5 core, 3 columns).
double core_seconds(const Engine& engine, int blocks) {
  return (2.0 + 1.1 * static_cast<double>(engine.columns()) * blocks) * 1e-9;
}

/// The same for a map of a group, as its share of the whole device.
double share_of_a_step(const Engine& engine, const OnlineGroup& group, const MapSetting& map) {
  const int blocks = group.blocks > 0 ? group.blocks : blocks_of(map, lanes(engine));
  return core_seconds(engine, blocks) / std::max(1U, engine.device.info.compute_units);
}

/// Sizes of 1, 2, 4 and 8 blocks share a kernel, finer ones where the gain is worth a build.
void set_blocks(const Engine& engine, std::span<const MapSetting> maps, const std::vector<std::size_t>& chosen,
                std::vector<int>& blocks) {
  std::map<int, double> steps;  // of the maps of each exact size
  for (const std::size_t i : chosen)
    steps[blocks_of(maps[i], lanes(engine))] +=
        static_cast<double>(maps[i].epochs) * static_cast<double>(engine.points());
  for (const std::size_t i : chosen) {
    const int exact = blocks_of(maps[i], lanes(engine));
    const int coarse = static_cast<int>(std::bit_ceil(static_cast<unsigned>(exact)));
    const double gain = steps[exact] * (core_seconds(engine, coarse) - core_seconds(engine, exact));
    blocks[i] =
        gain > build_seconds || static_cast<std::size_t>(coarse) * engine.columns() > most_registers ? exact : coarse;
  }
}

/// Of each map: those of a group have the same epochs.
double steps_of(const Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps) {
  return static_cast<double>(maps[group.maps.front()].epochs) * static_cast<double>(engine.points());
}

/// Few maps are spread over the cores, by a kernel of their own; not where they are done sooner than that is built.
int maps_side_by_side(const Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps) {
  const int blocks = group.blocks;
  const bool wide = static_cast<std::size_t>(blocks) * engine.columns() > most_registers / 2 && blocks < 4;
  const int wanted = wide ? 1 : blocks == 1 ? 8 : blocks == 2 ? 4 : 2;
  if (seconds_a_step(engine, group, maps) * steps_of(engine, group, maps) < soon_seconds) return wanted;
  const unsigned units = std::max(1U, engine.device.info.compute_units);
  const auto a_unit = static_cast<unsigned>((group.maps.size() + units - 1) / units);
  return std::min(wanted, static_cast<int>(std::bit_ceil(std::max(1U, a_unit))));
}

void sort_largest_first(OnlineGroup& group, std::span<const MapSetting> maps) {
  std::ranges::stable_sort(group.maps, std::greater{}, [&](std::size_t i) { return maps[i].neurons(); });
}

/// Pieces of about group_seconds, each a multiple of what keeps all cores busy.
void append_pieces(const Engine& engine, const OnlineGroup& whole, std::span<const MapSetting> maps,
                   std::vector<OnlineGroup>& groups) {
  const std::size_t quantum =
      static_cast<std::size_t>(whole.side_by_side) * std::max(1U, engine.device.info.compute_units);
  OnlineGroup piece = whole;
  piece.maps.clear();
  double a_step = 0;
  for (std::size_t at = 0; at < whole.maps.size(); ++at) {
    piece.maps.push_back(whole.maps[at]);
    a_step += share_of_a_step(engine, whole, maps[whole.maps[at]]);
    const bool last = at + 1 == whole.maps.size();
    if (!last && piece.maps.size() % quantum != 0) continue;
    if (!last && a_step * steps_of(engine, piece, maps) < group_seconds && piece.maps.size() < most_maps_a_group)
      continue;
    groups.push_back(piece);
    piece.maps.clear();
    a_step = 0;
  }
}

}  // namespace

double seconds_a_step(const Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps) {
  if (group.team > 0) return team_seconds_a_step(engine, group);
  double sum = 0;
  for (const std::size_t i : group.maps) sum += share_of_a_step(engine, group, maps[i]);
  return sum;
}

std::vector<OnlineGroup> group_maps(const Engine& engine, std::span<const MapSetting> maps) {
  std::vector<std::size_t> in_registers;
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (choose(engine, maps[i]) == Variant::registers) in_registers.push_back(i);
  std::vector<int> blocks(maps.size());  // of those in registers
  set_blocks(engine, maps, in_registers, blocks);

  std::map<std::tuple<Variant, int, int, bool>, OnlineGroup> classes;
  std::map<std::tuple<Variant, int, bool>, std::vector<std::size_t>> on_gpu;  // by epochs, grid or not
  for (std::size_t i = 0; i < maps.size(); ++i) {
    OnlineGroup like;
    like.variant = choose(engine, maps[i]);
    if (like.variant == Variant::team || like.variant == Variant::group) {
      on_gpu[{like.variant, maps[i].epochs, config::is_grid(maps[i].topology)}].push_back(i);
      continue;
    }
    if (like.variant == Variant::registers) like.blocks = blocks[i];
    if (like.variant == Variant::vectors)
      like.expand = per_step(engine) || (config::is_grid(maps[i].topology) && maps[i].neurons() > most_matrix_neurons);
    auto& group = classes.try_emplace({like.variant, maps[i].epochs, -like.blocks, like.expand}, like).first->second;
    group.maps.push_back(i);
  }
  std::vector<OnlineGroup> groups;
  for (auto& [key, group] : classes) {
    sort_largest_first(group, maps);
    if (group.variant == Variant::registers) group.side_by_side = maps_side_by_side(engine, group, maps);
    append_pieces(engine, group, maps, groups);
  }
  for (const auto& [key, chosen] : on_gpu)
    for (OnlineGroup& group : std::get<Variant>(key) == Variant::team ? team_groups(engine, maps, chosen)
                                                                      : work_group_groups(engine, maps, chosen)) {
      sort_largest_first(group, maps);
      groups.push_back(std::move(group));
    }
  return groups;
}

}  // namespace atl::som
