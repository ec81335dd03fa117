// A fixture with every OpenCL device of this machine that can be used.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "device/opencl.hpp"

namespace atl::device {

class UsableDevices : public testing::Test {
 protected:
  void SetUp() override {
    for (const DeviceInfo& info : list_devices())
      if (info.unusable.empty()) devices_.push_back(open(info));
    ASSERT_FALSE(devices_.empty()) << explain_no_device(list_devices());
  }

  std::vector<Device> devices_;  // of one test: nothing of OpenCL may outlive main()
};

}  // namespace atl::device
