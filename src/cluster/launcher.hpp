// Which launcher started this process, read from the environment variables that it left.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace atl::cluster {

using Variable = std::function<const char*(const char* name)>;  // getenv, or a table in tests

/// Why `size` ranks cannot be what the user asked for: a Slurm step of several tasks in which each task believes to be
/// alone. Empty when all is well, as for one process in a batch script of many tasks.
[[nodiscard]] std::string wrong_launcher(int size, const Variable& variable);

/// Environment variables (name, value) that let Open MPI start without what this job cannot use: ranks of one host need
/// no network, and a process without a launcher no daemon of its own. Empty for jobs over several hosts, for launchers
/// that do not tell, and where the user chose the transport.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> quick_start(const Variable& variable);

}  // namespace atl::cluster
