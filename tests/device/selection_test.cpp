#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"
#include "device/device_info.hpp"

namespace atl::device {
namespace {

std::vector<DeviceInfo> two_gpus_and_a_cpu() {
  std::vector<DeviceInfo> devices(3);
  for (int i = 0; i < 3; ++i) devices[i].index = i;
  devices[0].name = "NVIDIA H200";
  devices[1].name = "NVIDIA A2";
  devices[0].gpu = devices[1].gpu = true;
  devices[2].name = "pthread-AMD EPYC";
  return devices;
}

std::vector<int> indices(const std::vector<DeviceInfo>& devices) {
  std::vector<int> result;
  result.reserve(devices.size());
  for (const DeviceInfo& info : devices) result.push_back(info.index);
  return result;
}

Error refusal(const std::vector<DeviceInfo>& devices, const std::string& selector) {
  try {
    (void)select(devices, selector, false);
  } catch (const Error& error) {
    return error;
  }
  return {ExitCode::done, "nothing was refused"};
}

TEST(Selection, TheDefaultIsAllGpusWhereTheJobHasOneAndElseTheCpus) {
  const auto devices = two_gpus_and_a_cpu();

  EXPECT_EQ(indices(select(devices, "", true)), (std::vector<int>{0, 1}));
  EXPECT_EQ(indices(select(devices, "", false)), (std::vector<int>{2}));
}

TEST(Selection, AKindAnIndexAndPartOfANameWork) {
  const auto devices = two_gpus_and_a_cpu();

  EXPECT_EQ(indices(select(devices, "cpu", true)), (std::vector<int>{2}));
  EXPECT_EQ(indices(select(devices, "GPU", false)), (std::vector<int>{0, 1}));
  EXPECT_EQ(indices(select(devices, "1", false)), (std::vector<int>{1}));
  EXPECT_EQ(indices(select(devices, "h200", false)), (std::vector<int>{0}));
}

TEST(Selection, AnUnusableDeviceIsLeftOutOfSeveral) {
  auto devices = two_gpus_and_a_cpu();
  devices[0].unusable = "its driver has no compiler";

  EXPECT_EQ(indices(select(devices, "gpu", true)), (std::vector<int>{1}));
}

TEST(Selection, AnUnusableDeviceAskedForIsRefusedWithTheReason) {
  auto devices = two_gpus_and_a_cpu();
  devices[0].unusable = "its driver has no compiler";

  const Error error = refusal(devices, "h200");

  EXPECT_EQ(error.code(), ExitCode::no_device);
  EXPECT_STREQ(error.what(), "device \"h200\" is NVIDIA H200, which is not usable: its driver has no compiler");
}

TEST(Selection, WhatMatchesNothingIsRefusedWithTheList) {
  const Error error = refusal(two_gpus_and_a_cpu(), "7");

  EXPECT_EQ(error.code(), ExitCode::no_device);
  EXPECT_NE(std::string(error.what()).find("no device is \"7\""), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("1: NVIDIA A2 (gpu"), std::string::npos) << error.what();
}

TEST(Selection, WithoutAnyDeviceTheMessageSaysWhereDriversAreRegistered) {
  setenv("OCL_ICD_VENDORS", "/nonexistent/vendors", 1);

  const Error error = refusal({}, "");
  unsetenv("OCL_ICD_VENDORS");

  EXPECT_EQ(error.code(), ExitCode::no_device);
  EXPECT_NE(std::string(error.what()).find("OCL_ICD_VENDORS=/nonexistent/vendors"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("pocl-opencl-icd"), std::string::npos) << error.what();
}

// The environment of the process, put back at the end.
class ShareCpu : public testing::Test {
 protected:
  ShareCpu() { clear(); }
  ~ShareCpu() override { clear(); }

  static std::string get(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "(unset)";
  }

 private:
  static void clear() {
    for (const char* name : {"POCL_MAX_PTHREAD_COUNT", "POCL_CPU_MAX_CU_COUNT", "POCL_AFFINITY"}) unsetenv(name);
  }
};

TEST_F(ShareCpu, TheCoresAreDividedAmongTheRanksOfTheNode) {
  share_cpu(16, 3);

  EXPECT_EQ(get("POCL_MAX_PTHREAD_COUNT"), "5");
  EXPECT_EQ(get("POCL_CPU_MAX_CU_COUNT"), "5");
  EXPECT_EQ(get("POCL_AFFINITY"), "0");
}

TEST_F(ShareCpu, MoreRanksThanCoresStillGetAThreadEach) {
  share_cpu(2, 8);

  EXPECT_EQ(get("POCL_MAX_PTHREAD_COUNT"), "1");
}

TEST_F(ShareCpu, TheUsersOwnSettingsWin) {
  setenv("POCL_CPU_MAX_CU_COUNT", "7", 1);
  setenv("POCL_AFFINITY", "1", 1);

  share_cpu(16, 2);

  EXPECT_EQ(get("POCL_CPU_MAX_CU_COUNT"), "7");
  EXPECT_EQ(get("POCL_MAX_PTHREAD_COUNT"), "(unset)");
  EXPECT_EQ(get("POCL_AFFINITY"), "1");
}

}  // namespace
}  // namespace atl::device
