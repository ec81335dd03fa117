// Which launcher started this process, read from the environment variables that it left.
#pragma once
#include <functional>
#include <string>

namespace atl::cluster {

using Variable = std::function<const char*(const char* name)>;  // getenv, or a table in tests

/// Why `size` ranks cannot be what the user asked for: a Slurm step of several tasks in which each task believes to be
/// alone. Empty when all is well, as for one process in a batch script of many tasks.
[[nodiscard]] std::string wrong_launcher(int size, const Variable& variable);

}  // namespace atl::cluster
