#include "cluster/cores.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

namespace atl::cluster {
namespace {

using Sets = std::vector<std::set<int>>;

TEST(Cores, RanksThatMayUseTheSameCoresDivideThem) {
  const Sets ranks(3, {0, 1, 2, 3, 4, 5, 6, 7});

  EXPECT_EQ(share_of_cores(ranks, 0), 2);
}

TEST(Cores, RanksBoundToCoresOfTheirOwnKeepThem) {
  const Sets ranks{{0, 1}, {2, 3, 4}, {5}};

  EXPECT_EQ(share_of_cores(ranks, 0), 2);
  EXPECT_EQ(share_of_cores(ranks, 1), 3);
  EXPECT_EQ(share_of_cores(ranks, 2), 1);
}

TEST(Cores, MoreRanksThanCoresGetOneEach) {
  EXPECT_EQ(share_of_cores(Sets(5, {0, 1}), 4), 1);
}

TEST(Cores, TheAffinityOfTheProcessIsWhatIsAvailable) {
  const std::set<int> all = allowed_cores();
  int available = 0;
  std::thread([&] {  // affinity belongs to a thread: the test's own keeps its cores
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(*all.rbegin(), &one);
    sched_setaffinity(0, sizeof one, &one);
    available = cores_available();
  })
      .join();

  EXPECT_EQ(available, 1);
  EXPECT_EQ(allowed_cores(), all);
}

TEST(Cores, OnlyARankOnOneCoreWhileOthersIdleIsWarned) {
  EXPECT_NE(binding_warning(1, 2, 64).find("one of the node's 64 cores"), std::string::npos);
  EXPECT_EQ(binding_warning(2, 2, 64), "");
  EXPECT_EQ(binding_warning(1, 1, 1), "");
  EXPECT_EQ(binding_warning(1, 64, 64), "");
}

}  // namespace
}  // namespace atl::cluster
