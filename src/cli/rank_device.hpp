// From the devices that each rank sees to the one that it computes on, agreed by all ranks.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "device/device_info.hpp"

namespace atl::cli {

struct RankDevice {
  std::vector<device::DeviceInfo> found;     // all that this rank sees
  std::optional<device::DeviceInfo> chosen;  // among them
  std::string refusal;                       // why none was chosen
};

/// Divides the node's cores among its ranks for PoCL, lists the devices, and chooses by `selector` (--device, may be
/// empty). Never throws for want of a device. Collective. Install signal handlers after it: PoCL replaces them here.
[[nodiscard]] RankDevice find_device(const cluster::Communicator& communicator, const std::string& selector);

/// The chosen device; the same Error 69 on every rank when any rank has none. Collective.
[[nodiscard]] device::DeviceInfo require_device(const cluster::Communicator& communicator, const RankDevice& mine);

/// What rank 0 should warn of: GPUs that several ranks share, CPU ranks bound to one core. Empty elsewhere. Collective.
[[nodiscard]] std::vector<std::string> device_warnings(const cluster::Communicator& communicator,
                                                       const RankDevice& mine);

}  // namespace atl::cli
