#include "cli/devices.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace atl::cli {
namespace {

device::DeviceInfo make(int index, const std::string& name, bool gpu) {
  device::DeviceInfo info;
  info.index = index;
  info.name = name;
  info.gpu = gpu;
  info.has_double = gpu;
  info.driver = "580.1";
  info.global_memory = std::size_t{139} << 30;
  info.compute_units = 132;
  return info;
}

// Rank 0 computes on the second of its devices; rank 1 sees an unusable one only.
std::vector<RankReport> two_ranks() {
  RankReport first{0, "n1", {}}, second{1, "n2", {}};
  first.device.found = {make(0, "EPYC", false), make(1, "H200", true)};
  first.device.chosen = first.device.found[1];
  second.device.found = {make(0, "old\xFF card", true)};
  second.device.found[0].unusable = "its driver has no compiler";
  second.device.refusal = "no OpenCL device is usable:\n  more";
  return {first, second};
}

TEST(Devices, TheTableHasARowForEveryRankAndNamesWhatIsNotUsed) {
  auto ranks = two_ranks();
  ranks[1].device.found[0].name = "old card";

  EXPECT_EQ(devices_as_table(ranks),
            "rank  host  device  kind  memory   units  double  driver  name\n"
            "0     n1    1       gpu   139 GiB  132    yes     580.1   H200\n"
            "1     n2    none                                          no OpenCL device is usable\n"
            "\n"
            "not used:\n"
            "  n1  0  cpu  139 GiB  132  no   580.1  EPYC\n"
            "  n2  0  gpu  139 GiB  132  yes  580.1  old card (not usable: its driver has no compiler)\n");
}

TEST(Devices, TheJsonHasEveryDeviceOfEveryRank) {
  const auto json = nlohmann::json::parse(devices_as_json(two_ranks()));

  ASSERT_EQ(json.at("ranks").size(), 2U);
  const auto& first = json["ranks"][0];
  EXPECT_EQ(first.at("host"), "n1");
  EXPECT_EQ(first.at("chosen"), 1);
  EXPECT_EQ(first.at("devices").at(1).at("name"), "H200");
  EXPECT_EQ(first.at("devices").at(1).at("global_memory"), std::size_t{139} << 30);
  EXPECT_TRUE(json["ranks"][1].at("chosen").is_null());
  EXPECT_EQ(json["ranks"][1].at("devices").at(0).at("unusable"), "its driver has no compiler");
}

}  // namespace
}  // namespace atl::cli
