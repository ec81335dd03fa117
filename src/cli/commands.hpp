// The table of subcommands: main calls run, run calls one of these.
#pragma once
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cluster/communicator.hpp"

namespace atl::cli {

/// Parses the command line, runs the subcommand, prints an error once, and returns the exit code that every rank agrees
/// on.
int run(int argc, char** argv);

}  // namespace atl::cli
