// The options that `atoll de` and `atoll som` share, as the command line gave them.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/effective.hpp"

namespace atl::cli {

struct JobOptions {
  std::string file, output, device, precision, seed, max_time, checkpoint_every, shape;
  std::vector<std::string> sets;  // KEY=VALUE
  bool resume = false, force = false, quiet = false, verbose = false, evaluate = false, dry_run = false;
  bool keep_checkpoint = false;
};

void add_job_options(CLI::App& command, JobOptions& options, const std::string& file_name);

/// --set in their order, then --seed and --precision: flags win. Errors 64.
[[nodiscard]] std::vector<config::Override> overrides_of(const JobOptions& options);

/// Seconds of --max-time. Errors 64.
[[nodiscard]] std::optional<double> max_seconds_of(const JobOptions& options);

/// Seconds of --checkpoint-every; ten minutes unless given. Errors 64.
[[nodiscard]] double checkpoint_seconds_of(const JobOptions& options);

/// The command line as a shell would take it back.
[[nodiscard]] std::string command_line(int argc, char** argv);

}  // namespace atl::cli
