#include "device/placement.hpp"

#include <gtest/gtest.h>

namespace atl::device {
namespace {

using Groups = std::vector<std::vector<int>>;

TEST(Placement, RanksOfANodeTakeTheDevicesInTurn) {
  std::vector<DeviceInfo> devices(2);
  devices[0].index = 3;
  devices[1].index = 5;

  EXPECT_EQ(device_of_rank(devices, 0).index, 3);
  EXPECT_EQ(device_of_rank(devices, 1).index, 5);
  EXPECT_EQ(device_of_rank(devices, 2).index, 3);
}

TEST(Placement, AGpuIsNamedByHostAndIdAndACpuIsNot) {
  DeviceInfo gpu, cpu;
  gpu.gpu = true;
  gpu.id = "UUID-1";
  cpu.id = "PoCL/0";

  EXPECT_EQ(physical_device("n1", gpu), "n1|UUID-1");
  EXPECT_EQ(physical_device("n1", cpu), "");
}

TEST(Placement, RanksOnOnePhysicalDeviceAreGrouped) {
  const auto groups = shared_devices({"n1|A", "n1|B", "n1|A", "n2|A", "n1|B", "n1|A"});

  EXPECT_EQ(groups, (Groups{{0, 2, 5}, {1, 4}}));
}

TEST(Placement, SameIdOnAnotherHostIsAnotherDevice) {
  EXPECT_EQ(shared_devices({"n1|platform/0", "n2|platform/0"}), Groups{});
}

TEST(Placement, SharingACpuIsNoSharing) {
  EXPECT_EQ(shared_devices({"", "", ""}), Groups{});
}

}  // namespace
}  // namespace atl::device
