// Whether a device trains maps right: small ones by every kernel that it would use, against a plain loop on the host.
#pragma once
#include <string>
#include <vector>

#include "device/opencl.hpp"

namespace atl::som {

struct SelfTestLine {
  std::string name;
  bool ok = false;
  std::string detail;  // what was compared; of a failure: what differs, or the error
};

/// One line a check, failed ones too: nothing is thrown for what a device does wrong.
[[nodiscard]] std::vector<SelfTestLine> self_test(const device::Device& device);

}  // namespace atl::som
