// A sweep spelled out: every map in sweep order, and what it will cost.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "config/som_settings.hpp"
#include "som/map.hpp"

namespace atl::som {

/// Map s belongs to setting s / replicates: the replicate is the fastest index. A group is what one suggestion speaks
/// of: the settings that differ in their shape only.
struct Plan {
  std::vector<MapSetting> maps;    // S
  std::size_t replicates = 1;      // R
  std::vector<std::size_t> group;  // S / R: of each setting
  std::size_t groups = 0;

  [[nodiscard]] std::size_t settings() const { return group.size(); }
};

/// The product of the lists in sweep order: topology, shape, sigma, eta, epochs, replicate.
[[nodiscard]] Plan make_plan(const config::SweepSettings& sweep);

/// Work of each map in neuron-steps.
[[nodiscard]] std::vector<double> costs_of(const Plan& plan, std::size_t points, std::size_t columns,
                                           const config::SomTraining& training);

/// "1,270 maps: ring, 2 to 128 neurons, 10 replicates": the sweep in one line.
[[nodiscard]] std::string describe(const Plan& plan, const config::SweepSettings& sweep);

}  // namespace atl::som
