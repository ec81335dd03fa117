#include "cluster/cores.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

namespace atl::cluster {
namespace {

constexpr int most_cores = 1 << 16;

std::set<int> numbers_in(const std::string& text) {
  std::set<int> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  for (int value = 0; at < end; ++at) {
    at = std::from_chars(at, end, value).ptr;
    numbers.insert(value);
  }
  return numbers;
}

}  // namespace

std::set<int> allowed_cores() {
  // A node may have more cores than the 1024 of a plain cpu_set_t: grow until the kernel accepts the size.
  for (int count = CPU_SETSIZE; count <= most_cores; count *= 2) {
    const std::size_t bytes = CPU_ALLOC_SIZE(count);
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(count),
                                                                [](cpu_set_t* set) { CPU_FREE(set); });
    if (mask == nullptr || sched_getaffinity(0, bytes, mask.get()) != 0) continue;
    std::set<int> cores;
    for (int core = 0; core < count; ++core)
      if (CPU_ISSET_S(core, bytes, mask.get())) cores.insert(core);
    return cores;
  }
  return {0};
}

int cores_available() {
  return std::max<int>(1, static_cast<int>(allowed_cores().size()));
}

int share_of_cores(const std::vector<std::set<int>>& allowed_of_ranks, std::size_t self) {
  double share = 0;
  for (const int core : allowed_of_ranks.at(self)) {
    const auto users =
        std::ranges::count_if(allowed_of_ranks, [core](const auto& cores) { return cores.contains(core); });
    share += 1.0 / static_cast<double>(users);
  }
  return std::max(1, static_cast<int>(std::floor(share + 1e-9)));
}

int share_of_cores(const Communicator& communicator) {
  const std::string own = fmt::format("{}", fmt::join(allowed_cores(), ","));
  const std::vector<std::string> hosts = communicator.gather_all(communicator.host());
  const std::vector<std::string> texts = communicator.gather_all(own);
  std::vector<std::set<int>> neighbours;
  std::size_t self = 0;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    if (hosts[r] != communicator.host()) continue;
    if (static_cast<int>(r) == communicator.rank()) self = neighbours.size();
    neighbours.push_back(numbers_in(texts[r]));
  }
  return share_of_cores(neighbours, self);
}

std::string binding_warning(int available, int ranks_on_node, int online) {
  if (online <= 0) online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (available != 1 || online <= ranks_on_node) return "";
  return fmt::format(
      "this rank may use one of the node's {} cores, so its CPU device runs on one: `mpirun --bind-to none` or "
      "`srun --cpus-per-task=N` gives it more",
      online);
}

}  // namespace atl::cluster
