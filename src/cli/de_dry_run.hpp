// `atoll de --dry-run`: the configuration with the origin of each value, the devices, the plan; nothing is started.
#pragma once
#include <optional>
#include <string>

#include "cli/rank_device.hpp"
#include "cluster/communicator.hpp"
#include "config/de_settings.hpp"
#include "de/plan.hpp"
#include "de/problem.hpp"

namespace atl::cli {

struct DryRunOptions {
  std::string output;
  std::optional<char> shape;
  bool resume = false, force = false;
};

/// Prints on rank 0, and with `resume` what that would make of the files at `output`. A login node without a device is
/// told so and still gets the rest. Collective.
void de_dry_run(const config::LoadedDe& loaded, const de::Problem& problem, const DryRunOptions& options,
                const RankDevice& mine, const cluster::Communicator& communicator);

/// Seconds of the search, from counted work and what such devices were seen to do: right within a factor of a few.
[[nodiscard]] double estimated_seconds(const de::Problem& problem, double evaluations, double compute_units, bool gpu,
                                       bool single_precision);

/// About the size of the result file.
[[nodiscard]] double result_bytes(const de::Problem& problem, const de::IslandPlan& island, std::int64_t islands);

}  // namespace atl::cli
