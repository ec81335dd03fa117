// `atoll som SWEEP.toml`: every map of a sweep into one file.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "config/effective.hpp"

namespace atl::cli {

struct SomOptions {
  std::string file;                         // the sweep file
  std::string output;                       // -o; empty: the file's name with .h5 in the current folder
  std::vector<config::Override> overrides;  // --set, --seed, --precision
  std::string device;                       // --device
  std::optional<double> max_seconds;        // --max-time
  bool resume = false, force = false, quiet = false, verbose = false, dry_run = false;
  std::string command_line;
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
};

/// Collective. Returns 0, or 75 when it stopped early; throws the same Error on every rank otherwise.
[[nodiscard]] int run_som(const SomOptions& options, const cluster::Communicator& communicator);

}  // namespace atl::cli
