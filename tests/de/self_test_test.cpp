#include "de/self_test.hpp"

#include "de/every_device.hpp"

namespace atl::de {
namespace {

class SelfTest : public EveryDevice {};

TEST_F(SelfTest, EveryDeviceThatComputesRightPasses) {
  for (const auto& device : devices) {
    const auto lines = self_test(device);

    EXPECT_EQ(lines.size(), 4);
    for (const SelfTestLine& line : lines) {
      EXPECT_TRUE(line.ok) << device.info.name << ": " << line.name << ": " << line.detail;
      EXPECT_FALSE(line.detail.empty());
    }
  }
}

TEST_F(SelfTest, WhatADeviceRefusesIsALineAndNotTheEnd) {
  device::Device broken = devices.front();
  broken.info.largest_buffer = 1;

  for (const SelfTestLine& line : self_test(broken)) {
    EXPECT_FALSE(line.ok) << line.name;
    EXPECT_NE(line.detail.find("largest that it allows"), std::string::npos) << line.detail;
  }
}

}  // namespace
}  // namespace atl::de
