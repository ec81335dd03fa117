#include "de/topology.hpp"

#include <algorithm>

namespace atl::de {
namespace {

// Every island would receive from every other one: the exchange grows with the square.
constexpr std::int64_t complete_limit = 4096;

}  // namespace

std::vector<std::int64_t> sources(config::Topology topology, std::int64_t island, std::int64_t islands) {
  using enum config::Topology;
  std::vector<std::int64_t> result;
  switch (topology) {
    case unconnected:
      break;
    case ring:
      result = {(island + islands - 1) % islands};
      break;
    case bidirectional_ring:
      result = {(island + islands - 1) % islands, (island + 1) % islands};
      break;
    case complete:
      if (islands > complete_limit) {
        fail(ExitCode::bad_configuration,
             "migration.topology \"complete\" connects at most {} islands, and there are {}; use \"ring\" or "
             "\"bidirectional_ring\"",
             complete_limit, islands);
      }
      for (std::int64_t other = 0; other < islands; ++other) result.push_back(other);
      break;
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  std::erase(result, island);
  return result;
}

}  // namespace atl::de
