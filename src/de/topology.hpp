// Who receives from whom. Islands have global ids; nothing here knows of ranks.
#pragma once
#include <cstdint>
#include <vector>

#include "config/de_settings.hpp"

namespace atl::de {

/// Global ids of the islands that send to `island`, ascending, without itself. ring: i-1 -> i; bidirectional: both
/// neighbours.
[[nodiscard]] std::vector<std::int64_t> sources(config::Topology topology, std::int64_t island, std::int64_t islands);

}  // namespace atl::de
