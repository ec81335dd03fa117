// Which rank computes on which device.
#pragma once
#include <string>
#include <vector>

#include "device/device_info.hpp"

namespace atl::device {

/// The one of the selected devices (at least one) for a rank: the ranks of a node take them in turn.
[[nodiscard]] const DeviceInfo& device_of_rank(const std::vector<DeviceInfo>& selected, int node_rank);

/// "host|id" for a GPU, which names one physical device of the job; "" for a CPU, which ranks share without harm.
/// To be gathered from all ranks and given to shared_devices.
[[nodiscard]] std::string physical_device(const std::string& host, const DeviceInfo& info);

/// The groups of at least two ranks that compute on the same physical device, given each rank's physical_device in rank
/// order. By id, not by index: a launcher may show every rank another device as number 0.
[[nodiscard]] std::vector<std::vector<int>> shared_devices(const std::vector<std::string>& device_of_each_rank);

}  // namespace atl::device
