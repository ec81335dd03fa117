// Whether a device computes differential evolution right: small problems on the device against the host, in seconds.
// Drivers have bugs; this finds out before a long run does.
#pragma once
#include <string>
#include <vector>

#include "device/opencl.hpp"

namespace atl::de {

struct SelfTestLine {
  std::string name;
  bool ok = false;
  std::string detail;  // what was compared; of a failure: what differs, or the error
};

/// One line a check, failed ones too: nothing is thrown for what a device does wrong.
[[nodiscard]] std::vector<SelfTestLine> self_test(const device::Device& device);

}  // namespace atl::de
