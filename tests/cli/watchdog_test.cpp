#include "cli/watchdog.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace atl::cli {
namespace {

using namespace std::chrono_literals;

TEST(Watchdog, WarnsOnceWhenNobodyCalls) {
  std::atomic<int> warnings = 0;
  const Watchdog watchdog(0.01, [&] { ++warnings; });

  while (warnings == 0) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);

  EXPECT_EQ(warnings, 1);
}

TEST(Watchdog, IsSilentWhenItsTimeHasNotCome) {
  std::atomic<int> warnings = 0;
  {
    Watchdog watchdog(3600, [&] { ++warnings; });
    watchdog.alive();
  }

  EXPECT_EQ(warnings, 0);
}

}  // namespace
}  // namespace atl::cli
