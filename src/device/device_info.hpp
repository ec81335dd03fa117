// The OpenCL devices of this process, described without any OpenCL type.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace atl::device {

struct DeviceInfo {
  int index = 0;                 // over all platforms of this process, in platform order
  int platform = 0, device = 0;  // where it stands: platform number, device number within
  std::string platform_name, name, driver;
  std::string id;  // physical id: UUID or PCI bus where the driver tells it, else "platform/index"
  bool gpu = false;
  bool has_double = false;
  bool correctly_rounded_single = false;  // supports -cl-fp32-correctly-rounded-divide-sqrt
  std::size_t global_memory = 0, largest_buffer = 0, local_memory = 0, largest_group = 0;  // bytes, work-items
  unsigned compute_units = 0;
  std::string unusable;  // why atoll cannot compute on it; empty: usable
};

/// Every device of every platform, usable or not. An empty list when there is no platform.
[[nodiscard]] std::vector<DeviceInfo> list_devices();

/// What to say when nothing is usable: what was looked for, where ICDs are registered, what hides devices.
[[nodiscard]] std::string explain_no_device(const std::vector<DeviceInfo>& devices);

/// The devices a selector means: "" (all usable GPUs if `any_gpu`, else all usable CPUs), "gpu", "cpu", an index, or a
/// part of a name (case-insensitive). Throws 69 with the list when none matches or the match is unusable.
[[nodiscard]] std::vector<DeviceInfo> select(const std::vector<DeviceInfo>& devices, const std::string& selector,
                                             bool any_gpu);

/// Sets PoCL's thread count and turns its affinity off for `ranks_on_node` ranks sharing `cores` cores; call before the
/// first OpenCL call.
void share_cpu(int cores, int ranks_on_node);

}  // namespace atl::device
