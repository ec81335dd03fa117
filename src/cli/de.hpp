// `atoll de PROBLEM.toml`: a search, a dry run of it, or one evaluation at the start values.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "config/effective.hpp"

namespace atl::cli {

struct DeOptions {
  std::string file;                         // the problem file
  std::string output;                       // -o; empty: the file's name with .h5 in the current folder
  std::vector<config::Override> overrides;  // --set, --seed, --precision
  std::string device;                       // --device
  std::optional<double> max_seconds;        // --max-time
  double checkpoint_seconds = 600;          // --checkpoint-every
  bool keep_checkpoint = false;             // --keep-checkpoint
  std::optional<char> shape;                // --shape
  bool resume = false, force = false, quiet = false, verbose = false, dry_run = false, evaluate = false;
  std::string command_line;
  std::chrono::steady_clock::time_point process_start = std::chrono::steady_clock::now();
};

/// Collective. The exit code; an AgreedError for what all ranks know, any other Error where one rank failed alone.
[[nodiscard]] int run_de(const DeOptions& options, const cluster::Communicator& communicator);

}  // namespace atl::cli
