#include "som/self_test.hpp"

#include <gtest/gtest.h>

#include "som/som_fixture.hpp"

namespace atl::som {
namespace {

TEST(SelfTest, ADeviceThatTrainsRightPasses) {
  const auto lines = self_test(test_device());

  EXPECT_EQ(lines.size(), 3U);
  for (const SelfTestLine& line : lines) EXPECT_TRUE(line.ok) << line.name << ": " << line.detail;
}

TEST(SelfTest, WhatADeviceRefusesIsALineAndNotTheEnd) {
  device::Device broken = test_device();
  broken.info.largest_buffer = 1;

  for (const SelfTestLine& line : self_test(broken)) {
    EXPECT_FALSE(line.ok) << line.name;
    EXPECT_NE(line.detail.find("the largest that it allows is 1 byte"), std::string::npos) << line.detail;
  }
}

}  // namespace
}  // namespace atl::som
