// Which maps are trained online together, by which kernel. None of it changes a bit of a result.
#pragma once
#include <span>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

/// Maps that one kernel trains in the same launches: same epochs, size of the same class.
struct OnlineGroup {
  Variant variant = Variant::vectors;
  std::vector<std::size_t> maps;  // indices into the span that was grouped, largest map first
  int blocks = 0;                 // registers: vectors of neurons a map
  int side_by_side = 1;           // registers: maps a work-item; team: maps a work-group
  int team = 0;                   // team, group: work-items a map
  int neurons_each = 0;           // team: neurons a work-item
  int span = 0;                   // group: work-items over neurons; the others share the columns
  bool grid = false;              // team: rows and columns, not a line or ring
  bool expand = false;            // vectors: gather the influences of a winner for each step
};

[[nodiscard]] std::vector<OnlineGroup> group_maps(const Engine& engine, std::span<const MapSetting> maps);

/// The classes of sizes for the GPU kernels: team_groups.cpp.
[[nodiscard]] bool fits_team(const Engine& engine, const MapSetting& map);
[[nodiscard]] std::vector<OnlineGroup> team_groups(const Engine& engine, std::span<const MapSetting> maps,
                                                   const std::vector<std::size_t>& chosen);
[[nodiscard]] std::vector<OnlineGroup> work_group_groups(const Engine& engine, std::span<const MapSetting> maps,
                                                         const std::vector<std::size_t>& chosen);
[[nodiscard]] double team_seconds_a_step(const Engine& engine, const OnlineGroup& group);

/// Neurons that a vector of the CPU kernels holds.
[[nodiscard]] inline int lanes(const Engine& engine) {
  return engine.single() ? 16 : 8;
}

/// Expected seconds of a step of all maps of a group, for the length of the first launch.
[[nodiscard]] double seconds_a_step(const Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps);

}  // namespace atl::som
