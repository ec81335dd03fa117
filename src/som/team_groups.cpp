// Classes of sizes for the GPU kernels. A kernel of a class is bound either by the latency of one step of one map or,
// with enough maps, by the instructions that all of them issue; classes are merged where one launch is faster than two.
#include <algorithm>
#include <bit>
#include <map>

#include "som/online_groups.hpp"

namespace atl::som {
namespace {

constexpr int warp = 32;
constexpr int largest_team_map = 1024;
constexpr int work_group = 256;  // work-items of the group kernel
constexpr int most_teams = 16;   // maps a work-group
constexpr int most_work_items = 512;
constexpr std::size_t register_weights = 64;  // 4-byte weights that a work-item holds at most
constexpr std::size_t bytes_at_once = std::size_t{1} << 30;

// Cycles, estimated for an H200 from the instructions of the kernels.
constexpr double clock = 1.7e9;
constexpr int schedulers = 4;  // of a multiprocessor

struct TeamClass {
  int team = 0, each = 0;
  std::vector<std::size_t> maps;
  [[nodiscard]] int capacity() const { return team * each; }
};

int most_each(const Engine& engine) {
  const std::size_t words = engine.columns() * (engine.single() ? 1 : 2);
  return static_cast<int>(std::bit_floor(std::clamp<std::size_t>(register_weights / words, 0, 8)));
}

TeamClass class_of(const Engine& engine, int neurons) {
  const auto wanted = std::bit_ceil(static_cast<unsigned>(std::max(neurons, 8)));
  if (wanted <= warp) return {static_cast<int>(wanted), 1, {}};
  const int each = std::min(most_each(engine), static_cast<int>(wanted) / warp);
  return {static_cast<int>(wanted) / each, each, {}};
}

double cycles_a_step(const Engine& engine, const TeamClass& c) {
  const auto columns = static_cast<double>(engine.columns());
  const double maps = static_cast<double>(c.maps.size());
  const double warps = maps * c.team / warp;
  const double issued = 35 + c.each * (6 + 4 * columns);
  // A whole warp finds its nearest neuron in one instruction, a part of one by several shuffles.
  const double search = c.team > warp ? 80 : c.team < warp && engine.warp_instructions ? 60 : 0;
  const double latency = 190 + c.each * (2 + 3 * columns) + search;
  const double units = std::max(1U, engine.device.info.compute_units);
  return std::max(latency, warps * issued / (units * schedulers));
}

/// Each class into the next larger one wherever that takes less time than both alone.
void merge(const Engine& engine, std::vector<TeamClass>& classes) {
  for (std::size_t i = 0; i + 1 < classes.size();) {
    TeamClass both = classes[i + 1];
    both.maps.insert(both.maps.end(), classes[i].maps.begin(), classes[i].maps.end());
    if (cycles_a_step(engine, both) > cycles_a_step(engine, classes[i]) + cycles_a_step(engine, classes[i + 1])) {
      ++i;
      continue;
    }
    classes[i + 1] = std::move(both);
    classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(i));
    if (i > 0) --i;
  }
}

/// Whole warps for maps that need only a part of one, where that is faster.
void widen(const Engine& engine, TeamClass& c) {
  if (c.team >= warp) return;
  TeamClass whole = c;
  whole.team = warp;
  if (cycles_a_step(engine, whole) < cycles_a_step(engine, c)) c = std::move(whole);
}

int maps_a_group(const Engine& engine, const TeamClass& c) {
  const unsigned units = std::max(1U, engine.device.info.compute_units);
  const auto a_unit = (static_cast<unsigned>(c.maps.size()) + units - 1) / units;
  const int whole_warps = std::max(1, warp / c.team);
  const auto most = std::min<std::size_t>(most_work_items, engine.device.info.largest_group);
  const int fits = std::max(whole_warps, static_cast<int>(most) / c.team);
  return std::clamp(static_cast<int>(std::bit_floor(std::max(1U, a_unit))), whole_warps,
                    std::min(fits, most_teams * whole_warps));
}

}  // namespace

bool fits_team(const Engine& engine, const MapSetting& map) {
  if (map.neurons() > largest_team_map || most_each(engine) == 0) return false;
  const TeamClass c = class_of(engine, map.neurons());
  return static_cast<std::size_t>(c.team) <= std::min<std::size_t>(most_work_items, engine.device.info.largest_group);
}

std::vector<OnlineGroup> team_groups(const Engine& engine, std::span<const MapSetting> maps,
                                     const std::vector<std::size_t>& chosen) {
  std::map<int, TeamClass> by_size;
  for (const std::size_t i : chosen) {
    const TeamClass c = class_of(engine, maps[i].neurons());
    by_size.try_emplace(c.capacity(), c).first->second.maps.push_back(i);
  }
  std::vector<TeamClass> classes;
  classes.reserve(by_size.size());
  for (auto& [size, c] : by_size) classes.push_back(std::move(c));
  merge(engine, classes);
  for (TeamClass& c : classes) widen(engine, c);
  std::vector<OnlineGroup> groups;
  for (const TeamClass& c : classes) {
    OnlineGroup group;
    group.variant = Variant::team;
    group.team = c.team;
    group.neurons_each = c.each;
    group.side_by_side = maps_a_group(engine, c);
    group.maps = c.maps;
    group.grid = config::is_grid(maps[chosen.front()].topology);
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<OnlineGroup> work_group_groups(const Engine& engine, std::span<const MapSetting> maps,
                                           const std::vector<std::size_t>& chosen) {
  const int team =
      static_cast<int>(std::bit_floor(std::min<std::size_t>(work_group, engine.device.info.largest_group)));
  std::map<int, OnlineGroup> by_span;
  for (const std::size_t i : chosen) {
    const int span =
        std::min(team, static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(8, maps[i].neurons())))));
    OnlineGroup& group = by_span[span];
    group.variant = Variant::group;
    group.team = team;
    group.span = span;
    group.maps.push_back(i);
  }
  std::vector<OnlineGroup> groups;
  for (auto& [span, whole] : by_span) {
    OnlineGroup part = whole;
    part.maps.clear();
    std::size_t bytes = 0;
    for (const std::size_t i : whole.maps) {
      const std::size_t own = static_cast<std::size_t>(maps[i].neurons()) * (engine.columns() + 8) * 8;
      if (!part.maps.empty() && bytes + own > bytes_at_once) {
        groups.push_back(part);
        part.maps.clear();
        bytes = 0;
      }
      part.maps.push_back(i);
      bytes += own;
    }
    groups.push_back(part);
  }
  return groups;
}

double team_seconds_a_step(const Engine& engine, const OnlineGroup& group) {
  if (group.variant == Variant::team)
    return cycles_a_step(engine, {group.team, group.neurons_each, group.maps}) / clock;
  const double units = std::max(1U, engine.device.info.compute_units);
  return 2e-6 * std::max(1.0, static_cast<double>(group.maps.size()) / (4 * units));
}

}  // namespace atl::som
