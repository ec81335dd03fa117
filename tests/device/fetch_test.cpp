#include "device/fetch.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "device/usable_devices.hpp"

namespace atl::device {
namespace {

class FetchTest : public UsableDevices {
 protected:
  /// A buffer that holds first, first + 1, ...
  static cl::Buffer numbers(const Device& device, int first, std::size_t count) {
    std::vector<int> values(count);
    std::iota(values.begin(), values.end(), first);
    cl::Buffer buffer = allocate(device, count * sizeof(int));
    device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, count * sizeof(int), values.data());
    return buffer;
  }
};

TEST_F(FetchTest, WhatWasAskedForComesWhateverFollowsInTheQueue) {
  for (const Device& device : devices_) {
    const cl::Buffer buffer = numbers(device, 7, 1000);
    Fetch fetch;

    fetch.start(device, buffer, 1000 * sizeof(int));
    device.queue.enqueueFillBuffer(buffer, 0, 0, 1000 * sizeof(int));
    const auto values = fetch.take_as<int>();

    ASSERT_EQ(values.size(), 1000U) << device.info.name;
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(values[static_cast<std::size_t>(i)], 7 + i) << device.info.name;
  }
}

TEST_F(FetchTest, ServesAgainForMoreAndForLess) {
  for (const Device& device : devices_) {
    Fetch fetch;
    for (const std::size_t count : {10U, 100'000U, 3U}) {
      const cl::Buffer buffer = numbers(device, static_cast<int>(count), count);

      fetch.start(device, buffer, count * sizeof(int));
      const auto values = fetch.take_as<int>();

      ASSERT_EQ(values.size(), count) << device.info.name;
      EXPECT_EQ(values.back(), static_cast<int>(2 * count - 1)) << device.info.name;
    }
  }
}

TEST_F(FetchTest, IsEmptyWhereNothingWasAskedFor) {
  for (const Device& device : devices_) {
    Fetch fetch;
    EXPECT_FALSE(fetch.started());
    EXPECT_TRUE(fetch.take().empty());

    fetch.start(device, allocate(device, 8), 0);

    EXPECT_TRUE(fetch.started());
    EXPECT_TRUE(fetch.take().empty());
    EXPECT_FALSE(fetch.started()) << "a copy is taken once";
  }
}

}  // namespace
}  // namespace atl::device
