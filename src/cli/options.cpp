#include "cli/options.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "config/duration.hpp"

namespace atl::cli {

void add_job_options(CLI::App& command, JobOptions& options, const std::string& file_name) {
  command.add_option("file", options.file)->required()->option_text(file_name);
  const auto text = [&](const char* flags, std::string& value, const char* shown, const char* help, const char* group) {
    return command.add_option(flags, value, help)->option_text(shown)->group(group);
  };
  const auto flag = [&](const char* flags, bool& value, const char* help, const char* group) {
    command.add_flag(flags, value, help)->group(group);
  };

  constexpr const char* result = "Result";
  text("-o,--output", options.output, "FILE.h5", "default: the input's name with .h5, in this folder", result)
      ->check(CLI::Validator([](const std::string& name) { return name.empty() ? "needs a name" : ""; }, ""));
  flag("--force", options.force, "replace a result that is there", result);
  flag("--resume", options.resume, "go on where an earlier run stopped", result);
  text("--checkpoint-every", options.checkpoint_every, "TIME", "of the search: 10m unless given", result);

  constexpr const char* settings = "Settings";
  text("--seed", options.seed, "N", "run.seed: same seed, same bits", settings);
  text("--precision", options.precision, "double|single", "run.precision", settings)
      ->check(CLI::IsMember({"double", "single"}));
  command.add_option("--set", options.sets, "any key of the file: --set run.seed=7; may be repeated")
      ->option_text("KEY=VALUE")
      ->allow_extra_args(false)
      ->group(settings);

  constexpr const char* machine = "Machine";
  text("--device", options.device, "SELECTOR", "gpu, cpu, an index or a part of a name (see `atoll devices`)", machine);
  text("--max-time", options.max_time, "TIME", "stop early after 200ms, 90s, 30m, 11h30m or 2-00:00:00", machine);

  constexpr const char* look = "Look before the run";
  flag("--dry-run", options.dry_run, "what would be run, on what, for how long; starts nothing", look);

  constexpr const char* talk = "Talk";
  command.add_flag("--quiet", options.quiet, "no progress, no summary; warnings and errors stay")->group(talk);
  command.add_flag("--verbose", options.verbose, "more of everything")->group(talk);
}

std::vector<config::Override> overrides_of(const JobOptions& options) {
  if (options.quiet && options.verbose) fail(ExitCode::usage, "--quiet and --verbose exclude each other");
  std::vector<config::Override> overrides;
  for (const std::string& set : options.sets) {
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos || equals == 0) {
      fail(ExitCode::usage, "--set {}: expected KEY=VALUE, such as --set stop.evaluations=50000", set);
    }
    const std::string key = set.substr(0, equals);
    overrides.push_back({key, set.substr(equals + 1), "--set " + key});
  }
  if (!options.seed.empty()) {
    const bool digits = std::ranges::all_of(options.seed, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits)
      fail(ExitCode::usage, "--seed {}: expected a whole number from 0 to 18446744073709551615", options.seed);
    overrides.push_back({"run.seed", options.seed, "--seed"});
  }
  if (!options.precision.empty()) overrides.push_back({"run.precision", options.precision, "--precision"});
  return overrides;
}

std::optional<double> max_seconds_of(const JobOptions& options) {
  if (options.max_time.empty()) return std::nullopt;
  return config::parse_duration(options.max_time, {"--max-time"}, ExitCode::usage);
}

double checkpoint_seconds_of(const JobOptions& options) {
  constexpr double ten_minutes = 600;
  if (options.checkpoint_every.empty()) return ten_minutes;
  return config::parse_duration(options.checkpoint_every, {"--checkpoint-every"}, ExitCode::usage);
}

std::string command_line(int argc, char** argv) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  std::string line;
  for (int i = 0; i < argc; ++i) {
    const std::string word = argv[i];
    if (i > 0) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace atl::cli
