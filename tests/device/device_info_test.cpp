// Real drivers in child processes, whose environment says what they may see.
#include "device/device_info.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace atl::device {
namespace {

struct Child {
  std::vector<std::string> lines;
  int status = -1;
};

Child run(const std::string& command) {
  Child child;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return child;
  char line[4096];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    child.lines.emplace_back(line);
    child.lines.back().pop_back();
  }
  child.status = pclose(pipe);
  return child;
}

// This program again, printing one line a device.
Child list_in_child(const std::string& environment) {
  return run(fmt::format("env {} '{}' --print-devices", environment, testing::internal::GetArgvs().front()));
}

TEST(DeviceInfo, EveryDeviceOfAPlatformIsListedWithAnIdOfItsOwn) {
  const Child child = list_in_child("POCL_DEVICES='pthread pthread' CUDA_VISIBLE_DEVICES=");

  ASSERT_EQ(child.status, 0);
  ASSERT_EQ(child.lines.size(), 2U);
  EXPECT_EQ(child.lines[0], "0 Portable Computing Language/0 cpu usable");
  EXPECT_EQ(child.lines[1], "1 Portable Computing Language/1 cpu usable");
}

TEST(DeviceInfo, WithoutAPlatformTheListIsEmpty) {
  const test::ScratchFolder no_vendors;

  const Child child = list_in_child("-u OCL_ICD_FILENAMES OCL_ICD_VENDORS=" + no_vendors / "");

  EXPECT_EQ(child.status, 0);
  EXPECT_TRUE(child.lines.empty()) << child.lines.front();
}

TEST(DeviceInfo, PoclTakesTheThreadsOfTheRanksShare) {
  const Child child = run(fmt::format("env CUDA_VISIBLE_DEVICES= '{}' --print-units-of-three-ranks-on-three-cores",
                                      testing::internal::GetArgvs().front()));

  ASSERT_EQ(child.lines.size(), 1U);
  EXPECT_EQ(child.lines[0], "1");
}

TEST(DeviceInfo, AUsableDeviceTellsItsSizes) {
  for (const DeviceInfo& info : list_devices()) {
    if (!info.unusable.empty()) continue;
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.driver.empty()) << info.name;
    EXPECT_FALSE(info.id.empty()) << info.name;
    EXPECT_GE(info.global_memory, info.largest_buffer) << info.name;
    EXPECT_GE(info.largest_buffer, std::size_t{1} << 27) << info.name;  // OpenCL 1.2 asks for 128 MiB
    EXPECT_GE(info.local_memory, std::size_t{32768}) << info.name;
    EXPECT_GE(info.largest_group, 1U) << info.name;
    EXPECT_GE(info.compute_units, 1U) << info.name;
  }
}

}  // namespace
}  // namespace atl::device

int main(int argc, char** argv) {
  using atl::device::list_devices;
  if (argc == 2 && std::strcmp(argv[1], "--print-devices") == 0) {
    for (const auto& info : list_devices())
      fmt::print("{} {} {} {}\n", info.index, info.id, info.gpu ? "gpu" : "cpu",
                 info.unusable.empty() ? "usable" : info.unusable);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--print-units-of-three-ranks-on-three-cores") == 0) {
    atl::device::share_cpu(3, 3);
    for (const auto& info : list_devices()) fmt::print("{}\n", info.compute_units);
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
