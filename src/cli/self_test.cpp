#include "cli/self_test.hpp"

#include <fmt/format.h>

#include "base/counts.hpp"
#include "cli/rank_device.hpp"
#include "de/self_test.hpp"
#include "device/opencl.hpp"
#include "som/self_test.hpp"

namespace atl::cli {
namespace {

struct Tested {
  std::string text;
  std::int64_t devices = 0, failed = 0;
};

void test_one(const device::DeviceInfo& info, const std::string& host, Tested& tested) {
  ++tested.devices;
  tested.text += fmt::format("{}  device {}  {}\n", host, info.index, info.name);
  const auto add = [&](const auto& lines) {
    for (const auto& line : lines) {
      tested.text += fmt::format("  {:<6} {:<28} {}\n", line.ok ? "ok" : "FAILED", line.name, line.detail);
      if (!line.ok) ++tested.failed;
    }
  };
  const device::Device device = device::open(info);
  add(de::self_test(device));
  add(som::self_test(device));
}

/// Devices of this host; empty on all but its first rank, because the ranks of a host see the same ones.
Tested test_host(const RankDevice& mine, const cluster::Communicator& communicator, const std::string& selector) {
  Tested tested;
  if (communicator.node_rank() != 0) return tested;
  try {
    for (const device::DeviceInfo& info : mine.found) {
      const bool meant = selector.empty() || (mine.chosen && mine.chosen->index == info.index);
      if (meant && info.unusable.empty()) test_one(info, communicator.host(), tested);
    }
  } catch (const Error& error) {
    ++tested.failed;
    tested.text += fmt::format("  FAILED {}\n", error.what());
  }
  return tested;
}

}  // namespace

int self_test_devices(const cluster::Communicator& communicator, const std::string& selector) {
  const RankDevice mine = find_device(communicator, selector);
  const Tested tested = test_host(mine, communicator, selector);
  const auto texts = communicator.gather_all(tested.text);
  const std::int64_t devices = communicator.sum(tested.devices), failed = communicator.sum(tested.failed);
  if (communicator.root()) {
    for (const std::string& text : texts) fmt::print("{}", text);
    if (devices == 0)
      fmt::print("no device to test: {}\n", mine.refusal);
    else
      fmt::print("{}, {} failed\n", counted(devices, "device"), counted(failed, "check"));
  }
  return devices == 0 || failed > 0 ? static_cast<int>(ExitCode::no_device) : 0;
}

}  // namespace atl::cli
