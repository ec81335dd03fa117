// `atoll devices --self-test`: whether every device of every host computes what the host computes.
#pragma once
#include <string>

#include "cluster/communicator.hpp"

namespace atl::cli {

/// The first rank of each host tests the usable devices that `selector` means (all of them when it is empty), one after
/// the other; rank 0 prints one line a check. Returns 0, or 69 when a check failed or there was nothing to test.
/// Collective.
[[nodiscard]] int self_test_devices(const cluster::Communicator& communicator, const std::string& selector);

}  // namespace atl::cli
