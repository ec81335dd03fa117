// The command line of atoll: its subcommands, their options and help.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "cli/options.hpp"

namespace atl::cli {

struct CommandLine {
  JobOptions de, som;
  std::string devices_selector, show_file;
  bool devices_json = false, devices_self_test = false, show_json = false, version = false;
};

/// Fills `app` so that parsing it fills `line`.
void describe(CLI::App& app, CommandLine& line);

/// What to print for a command line that asks for help (code 0, for stdout) or is wrong (64, one line and a hint).
struct ParseReply {
  int code = 0;
  std::string text;
};
[[nodiscard]] ParseReply reply_to(const CLI::App& app, const CLI::ParseError& error);

}  // namespace atl::cli
