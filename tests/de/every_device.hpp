// A fixture with every OpenCL device of this machine that can compute in double.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "device/opencl.hpp"

namespace atl::de {

class EveryDevice : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& info : device::list_devices())
      if (info.unusable.empty() && info.has_double) devices.push_back(device::open(info));
    ASSERT_FALSE(devices.empty()) << "no usable OpenCL device with double";
  }

  std::vector<device::Device> devices;
};

}  // namespace atl::de
