// One writer an output: who holds a lock is said, and a dead holder does not keep it.
#include "store/lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "scratch.hpp"

namespace atl::store {
namespace {

using namespace std::chrono_literals;
using test::code_of;
using test::message_of;
using test::ScratchFolder;

constexpr auto heartbeat = 50ms;

LockHolder me(const std::string& host = "here") {
  return {host, ::getpid(), "", 0};
}

bool gets_it(const std::string& output, const LockHolder& holder) {
  return code_of([&] { const Lock lock(output, holder, heartbeat); }) == ExitCode::done;
}

TEST(Lock, TheSecondIsToldWhoHoldsIt) {
  const ScratchFolder folder;
  const Lock first(folder / "a.h5", {"node7", 4711, "88", 0}, heartbeat);

  const auto second = [&] { const Lock lock(folder / "a.h5", me("node7"), heartbeat); };

  EXPECT_EQ(code_of(second), ExitCode::cannot_write);
  const std::string expected =
      (folder / "a.h5") + " is being written by another run: process 4711 on node7, Slurm job 88;";
  EXPECT_EQ(message_of(second).substr(0, expected.size()), expected);
}

TEST(Lock, IsGoneWithItsHolder) {
  const ScratchFolder folder;
  { const Lock lock(folder / "a.h5", me(), heartbeat); }

  EXPECT_EQ(folder.entries(), 0U);
  EXPECT_TRUE(gets_it(folder / "a.h5", me()));
}

TEST(Lock, OfAKilledProcessOfThisHostIsTakenOver) {
  const ScratchFolder folder;
  const std::string output = folder / "a.h5";
  const pid_t child = fork();
  if (child == 0) {
    static const Lock lock(output, me(), heartbeat);
    ::_exit(0);  // as a kill: nothing is cleaned up
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(std::filesystem::exists(output + ".lock"));

  EXPECT_TRUE(gets_it(output, me()));
}

TEST(Lock, OfAnotherHostIsHeldUntilItMissedThreeHeartbeats) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.h5.lock", "host far\npid 1\njob \nrestarts 0\n");

  const bool at_once = gets_it(folder / "a.h5", me());
  std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - 4 * heartbeat);
  const bool later = gets_it(folder / "a.h5", me());

  EXPECT_FALSE(at_once);
  EXPECT_TRUE(later);
}

TEST(Lock, BeatsWhileItLives) {
  const ScratchFolder folder;
  const Lock lock(folder / "a.h5", me(), heartbeat);
  const auto long_ago = std::filesystem::last_write_time(lock.path()) - 1h;
  std::filesystem::last_write_time(lock.path(), long_ago);

  while (std::filesystem::last_write_time(lock.path()) == long_ago) std::this_thread::sleep_for(5ms);

  EXPECT_GT(std::filesystem::last_write_time(lock.path()), long_ago);
}

TEST(Lock, OfAnEarlierStartOfTheSameSlurmJobIsStale) {
  const ScratchFolder folder;
  folder.write("a.h5.lock", "host far\npid 1\njob 88\nrestarts 0\n");

  EXPECT_FALSE(gets_it(folder / "a.h5", {"here", ::getpid(), "89", 1}));
  EXPECT_FALSE(gets_it(folder / "a.h5", {"here", ::getpid(), "88", 0}));
  EXPECT_TRUE(gets_it(folder / "a.h5", {"here", ::getpid(), "88", 1}));
}

TEST(Lock, OneOfManyAtOnceGetsIt) {
  const ScratchFolder folder;
  folder.write("a.h5.lock", "host here\npid 999999999\njob \nrestarts 0\n");  // stale: all want to take it over
  std::atomic<int> holders = 0, most = 0, taken = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int attempt = 0; attempt < 50; ++attempt) {
        try {
          const Lock lock(folder / "a.h5", me(), heartbeat);
          const int now = ++holders;
          int before = most;
          while (now > before && !most.compare_exchange_weak(before, now)) continue;
          ++taken;
          --holders;
        } catch (const Error&) {
          continue;
        }
      }
    });
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(most, 1);
  EXPECT_GE(taken, 1);
}

TEST(Lock, AFolderThatIsNotThereIsSaid) {
  const ScratchFolder folder;

  const std::string message = message_of([&] { const Lock lock(folder / "nothing/a.h5", me(), heartbeat); });

  EXPECT_EQ(message, "cannot write " + (folder / "nothing/a.h5.lock") + ": No such file or directory");
}

}  // namespace
}  // namespace atl::store
