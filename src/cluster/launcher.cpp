#include "cluster/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace atl::cluster {
namespace {

long number(const char* text) {
  return text == nullptr ? 0 : std::strtol(text, nullptr, 10);
}

bool any_set(const Variable& variable, const auto& names) {
  return std::ranges::any_of(names, [&](const char* name) { return variable(name) != nullptr; });
}

constexpr std::array transports = {"OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl"};
constexpr std::array launchers = {
    "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_RANK", "PMI_SIZE", "PMI_FD"};

}  // namespace

std::string wrong_launcher(int size, const Variable& variable) {
  // srun tells each task of a step its number of tasks. A batch script has SLURM_NTASKS of the whole job, but no step
  // of its own; newer versions of Slurm number that step from 0xfffffff0 up.
  const char* step = variable("SLURM_STEP_ID");
  const bool in_step = step != nullptr && number(step) < 0xfffffff0L &&
                       std::string(step).find_first_not_of("0123456789") == std::string::npos;
  if (size != 1 || !in_step) return "";
  // mpirun and Hydra start their own helpers by srun, so that a lone rank of theirs sees a step of several nodes.
  if (variable("OMPI_COMM_WORLD_SIZE") != nullptr || number(variable("PMI_SIZE")) == 1) return "";
  const char* told = variable("SLURM_STEP_NUM_TASKS");
  const long tasks = number(told != nullptr ? told : variable("SLURM_NTASKS"));
  if (tasks <= 1) return "";
  return fmt::format(
      "srun started {} tasks, but MPI sees each of them alone: start with `srun --mpi=pmix` (`srun --mpi=list` shows "
      "what "
      "this cluster offers) or with `mpirun` inside the batch script",
      tasks);
}

std::vector<std::pair<std::string, std::string>> quick_start(const Variable& variable) {
  const bool alone = !any_set(variable, launchers);
  const long ranks = number(variable("OMPI_COMM_WORLD_SIZE")), here = number(variable("OMPI_COMM_WORLD_LOCAL_SIZE"));
  std::vector<std::pair<std::string, std::string>> settings;
  // Looking for a network loads the libraries of all of them; that of Omni-Path alone calibrates a clock for 0.2 s.
  if ((alone || (ranks > 0 && ranks == here)) && !any_set(variable, transports))
    settings.emplace_back("OMPI_MCA_pml", "ob1");
  // The daemon serves MPI_Comm_spawn and costs 0.1 s.
  if (alone) settings.emplace_back("OMPI_MCA_ess_singleton_isolated", "1");
  return settings;
}

}  // namespace atl::cluster
