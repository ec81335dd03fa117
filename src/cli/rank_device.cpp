#include "cli/rank_device.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "cluster/cores.hpp"
#include "device/placement.hpp"

namespace atl::cli {
namespace {

bool usable_gpu(const device::DeviceInfo& info) {
  return info.gpu && info.unusable.empty();
}

}  // namespace

RankDevice find_device(const cluster::Communicator& communicator, const std::string& selector) {
  device::share_cpu(cluster::share_of_cores(communicator), 1);
  RankDevice mine;
  mine.found = device::list_devices();
  const bool own_gpu = std::ranges::any_of(mine.found, usable_gpu);
  const bool any_gpu = communicator.max(std::int64_t{own_gpu}) != 0;
  try {
    const auto selected = device::select(mine.found, selector, any_gpu);
    mine.chosen = device::device_of_rank(selected, communicator.node_rank());
  } catch (const Error& error) {
    mine.refusal = error.what();
    if (selector.empty() && any_gpu && !own_gpu)
      mine.refusal = fmt::format(
          "no usable GPU here while other ranks have one, and a job computes on one kind of device: `--device cpu`, or "
          "ranks on nodes with GPUs only. What is here: {}",
          error.what());
  }
  return mine;
}

device::DeviceInfo require_device(const cluster::Communicator& communicator, const RankDevice& mine) {
  const std::vector<std::string> refusals = communicator.gather_all(mine.refusal);
  const auto first = std::ranges::find_if(refusals, [](const std::string& text) { return !text.empty(); });
  if (first == refusals.end()) return *mine.chosen;
  const std::vector<std::string> hosts = communicator.gather_all(communicator.host());
  const auto rank = first - refusals.begin();
  if (communicator.size() == 1) throw Error(ExitCode::no_device, *first);
  fail(ExitCode::no_device, "rank {} on {}: {}", rank, hosts[rank], *first);
}

std::vector<std::string> device_warnings(const cluster::Communicator& communicator, const RankDevice& mine) {
  const bool on_cpu = mine.chosen && !mine.chosen->gpu;
  const auto physical =
      communicator.gather_all(mine.chosen ? device::physical_device(communicator.host(), *mine.chosen) : std::string());
  const auto bound = communicator.gather_all(
      on_cpu ? cluster::binding_warning(cluster::cores_available(), communicator.node_size()) : std::string());
  std::vector<std::string> warnings;
  if (!communicator.root()) return warnings;
  for (const std::vector<int>& ranks : device::shared_devices(physical))
    warnings.push_back(
        fmt::format("ranks {} share one GPU and take turns on it: one rank a GPU is fastest", fmt::join(ranks, ", ")));
  const auto any_bound = std::ranges::find_if(bound, [](const std::string& text) { return !text.empty(); });
  if (any_bound != bound.end()) warnings.push_back(fmt::format("rank {}: {}", any_bound - bound.begin(), *any_bound));
  return warnings;
}

}  // namespace atl::cli
