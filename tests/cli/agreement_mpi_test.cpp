// One outcome for all ranks, whichever of them fails.
#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "cli/agreement.hpp"
#include "cluster/mpi_main.hpp"

namespace atl::cli {
namespace {

std::optional<AgreedError> outcome(const cluster::Communicator& communicator, const std::function<void()>& work) {
  try {
    together(communicator, work);
  } catch (const AgreedError& error) {
    return error;
  }
  return std::nullopt;
}

TEST(Agreement, NothingHappensWhenNoRankFails) {
  const cluster::Communicator communicator;
  int done = 0;

  const auto error = outcome(communicator, [&] { ++done; });

  EXPECT_FALSE(error);
  EXPECT_EQ(done, 1);
}

TEST(Agreement, AFaultThatAllRanksMeetIsToldAsRankZeroMetIt) {
  const cluster::Communicator communicator;

  const auto error = outcome(communicator, [] { fail(ExitCode::bad_configuration, "problem.toml:3: wrong"); });

  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::bad_configuration);
  EXPECT_STREQ(error->what(), "problem.toml:3: wrong");
}

TEST(Agreement, AFaultOfTheLastRankIsThrownOnAllWithItsNameAndHost) {
  const cluster::Communicator communicator;
  const int last = communicator.size() - 1;

  const auto error = outcome(communicator, [&] {
    if (communicator.rank() == last) fail(ExitCode::missing_input, "no such file");
  });

  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::missing_input);
  const std::string who = last == 0 ? "" : fmt::format("rank {} ({}): ", last, communicator.host());
  EXPECT_EQ(error->what(), who + "no such file");
}

TEST(Agreement, AForeignExceptionIsOurOwnFault) {
  const cluster::Communicator communicator;

  const auto error = outcome(communicator, [] { throw std::runtime_error("vector"); });

  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ExitCode::internal);
  EXPECT_STREQ(error->what(), "internal fault: vector");
}

}  // namespace
}  // namespace atl::cli

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
