// What the ranks of a job agree on, with the devices that this machine has.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "cli/rank_device.hpp"
#include "cluster/mpi_main.hpp"

namespace atl::cli {
namespace {

TEST(RankDevice, EveryRankFindsItsDevice) {
  const cluster::Communicator communicator;

  const RankDevice mine = find_device(communicator, "cpu");

  ASSERT_TRUE(mine.chosen.has_value()) << mine.refusal;
  EXPECT_FALSE(mine.chosen->gpu);
  EXPECT_EQ(require_device(communicator, mine).index, mine.chosen->index);
}

TEST(RankDevice, OneRankWithoutADeviceStopsAllWithOneMessage) {
  const cluster::Communicator communicator;
  const int last = communicator.size() - 1;
  RankDevice mine;
  mine.chosen.emplace();
  if (communicator.rank() == last) mine = {{}, std::nullopt, "nothing here"};

  std::string message = "no error";
  try {
    (void)require_device(communicator, mine);
  } catch (const Error& error) {
    message = error.what();
    EXPECT_EQ(error.code(), ExitCode::no_device);
  }

  EXPECT_EQ(message,
            last == 0 ? "nothing here" : fmt::format("rank {} on {}: nothing here", last, communicator.host()));
}

TEST(RankDevice, SharingAGpuIsWarnedOfOnRankZeroAndSharingACpuIsNot) {
  const cluster::Communicator communicator;
  RankDevice gpu, cpu;
  gpu.chosen.emplace();
  gpu.chosen->gpu = true;
  gpu.chosen->id = "UUID-1";
  cpu.chosen.emplace();

  const auto warnings = device_warnings(communicator, gpu);
  EXPECT_EQ(warnings.size(), communicator.root() && communicator.size() > 1 ? 1U : 0U);
  for (const std::string& warning : device_warnings(communicator, cpu))
    EXPECT_EQ(warning.find("share one GPU"), std::string::npos) << warning;
}

}  // namespace
}  // namespace atl::cli

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
