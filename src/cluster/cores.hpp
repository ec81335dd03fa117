// The cores of the node that this rank may use, and its fair share of them.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"

namespace atl::cluster {

/// The numbers of the cores that this process may run on (sched_getaffinity).
[[nodiscard]] std::set<int> allowed_cores();

/// How many those are; at least 1.
[[nodiscard]] int cores_available();

/// The share of rank `self` when every core is divided among the ranks that may use it; at least 1. Four ranks of a
/// node that are all allowed 8 cores get 2 each; ranks that are bound to cores of their own keep those.
[[nodiscard]] int share_of_cores(const std::vector<std::set<int>>& allowed_of_ranks, std::size_t self);

/// The same for this rank among the ranks of its node. Collective.
[[nodiscard]] int share_of_cores(const Communicator& communicator);

/// A warning for a rank that computes on the CPU and is bound to one core, while the node has more cores than ranks;
/// else empty. `online` is the number of the node's cores, 0 to ask the system.
[[nodiscard]] std::string binding_warning(int available, int ranks_on_node, int online = 0);

}  // namespace atl::cluster
