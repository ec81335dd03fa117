// Every rank runs every test; one rank's failure is the failure of all.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <numeric>

#include "cluster/communicator.hpp"
#include "cluster/cores.hpp"
#include "cluster/mpi_main.hpp"

namespace atl::cluster {
namespace {

// Different bytes for every sender, receiver and length.
std::vector<std::byte> message(int from, int to, std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  const int start = 31 * from + 3 * to;
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>(i * 7 + start);
  return result;
}

TEST(Communicator, ThisHostsRanksFormANode) {
  const Communicator communicator;

  EXPECT_EQ(communicator.node_size(), communicator.size());  // the tests run on one machine
  EXPECT_EQ(communicator.node_rank(), communicator.rank());
  EXPECT_FALSE(communicator.host().empty());
  EXPECT_EQ(communicator.root(), communicator.rank() == 0);
}

TEST(Communicator, ReductionsCoverAllRanks) {
  const Communicator communicator;
  const int rank = communicator.rank(), size = communicator.size();

  EXPECT_EQ(communicator.max(0.5 + rank), size - 0.5);
  EXPECT_EQ(communicator.min(0.5 + rank), 0.5);
  EXPECT_EQ(communicator.max(std::int64_t{1} << (40 + rank)), std::int64_t{1} << (39 + size));
  EXPECT_EQ(communicator.sum((std::int64_t{1} << 40) + rank), (std::int64_t{size} << 40) + size * (size - 1) / 2);
}

TEST(Communicator, ABroadcastReachesAllRanksAtAnyLength) {
  const Communicator communicator(5);  // parts of five bytes
  for (const std::size_t length : {0, 1, 4, 5, 6, 1000}) {
    std::vector<std::byte> bytes = communicator.root() ? message(0, 0, length) : message(9, 9, 17);

    communicator.broadcast(bytes);

    EXPECT_EQ(bytes, message(0, 0, length));
  }
  EXPECT_EQ(communicator.broadcast(communicator.root() ? std::string("a\0b", 3) : "else"), std::string("a\0b", 3));
}

TEST(Communicator, AGatherArrivesInRankOrderOnRankZeroOnly) {
  for (const std::size_t part : {std::size_t{3}, std::size_t{1} << 30}) {
    const Communicator communicator(part);
    const auto length = [](int rank) { return static_cast<std::size_t>(100 * (rank % 3)); };  // some are empty

    const auto all = communicator.gather(message(communicator.rank(), 0, length(communicator.rank())));

    ASSERT_EQ(all.size(), communicator.root() ? communicator.size() : 0);
    for (std::size_t r = 0; r < all.size(); ++r) {
      const int rank = static_cast<int>(r);
      EXPECT_EQ(all[r], message(rank, 0, length(rank)));
    }
  }
}

TEST(Communicator, TextsOfAllRanksReachAllRanks) {
  const Communicator communicator(2);

  const auto texts = communicator.gather_all(std::string(communicator.rank(), 'x'));

  ASSERT_EQ(texts.size(), communicator.size());
  for (std::size_t r = 0; r < texts.size(); ++r) EXPECT_EQ(texts[r], std::string(r, 'x'));
}

TEST(Communicator, AnExchangeOnARingMeetsBothNeighboursAndOneself) {
  const Communicator communicator(7);
  const int rank = communicator.rank(), size = communicator.size();
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  for (int round = 0; round < 50; ++round) {
    const auto length = [round](int from) { return static_cast<std::size_t>((from * 13 + round) % 40); };

    const auto received = communicator.exchange({{next, message(rank, next, length(rank))}}, {previous});

    ASSERT_EQ(received.size(), 1U);
    EXPECT_EQ(received.at(previous), message(previous, rank, length(previous)));
  }
}

TEST(Communicator, RanksWithNothingToSayStayOutOfAnExchange) {
  const Communicator communicator;
  const int last = communicator.size() - 1;
  if (communicator.rank() == 0) {
    const auto received = communicator.exchange({{last, message(0, last, 10)}}, {last});
    EXPECT_EQ(received.at(last), last == 0 ? message(0, 0, 10) : message(last, 0, 20));
  } else if (communicator.rank() == last) {
    const auto received = communicator.exchange({{0, message(last, 0, 20)}}, {0});
    EXPECT_EQ(received.at(0), message(0, last, 10));
  }
}

TEST(Communicator, AllToAllOfSeveralMegabytesIsNoDeadlock) {
  const Communicator communicator(1 << 20);
  const int rank = communicator.rank(), size = communicator.size();
  const std::size_t bytes = (std::size_t{5} << 20) + 3;
  std::map<int, std::vector<std::byte>> sends;
  std::vector<int> from(size);
  std::iota(from.begin(), from.end(), 0);
  for (const int r : from) sends[r] = message(rank, r, bytes);

  const auto received = communicator.exchange(sends, from);

  ASSERT_EQ(received.size(), size);
  for (const auto& [r, data] : received) EXPECT_TRUE(data == message(r, rank, bytes)) << r;
}

TEST(Communicator, ACopyOutlivesItsOriginal) {
  auto original = std::make_unique<Communicator>();
  Communicator copy = *original;
  original.reset();

  copy.barrier();
  copy.node_barrier();

  EXPECT_EQ(copy.node_size(), copy.size());
}

TEST(ShareOfCores, RanksTogetherUseNoMoreCoresThanThereAre) {
  const Communicator communicator;
  const int share = share_of_cores(communicator);

  EXPECT_GE(share, 1);
  if (communicator.size() <= cores_available()) {
    EXPECT_LE(communicator.sum(std::int64_t{share}), cores_available());
  }
}

TEST(Environment, TheLibrarysVersionIsOneLine) {
  const std::string version = mpi_library_version();

  EXPECT_FALSE(version.empty());
  EXPECT_EQ(version.find('\n'), std::string::npos);
}

TEST(Environment, HwlocLeavesOpenClAlone) {
  ASSERT_NE(std::getenv("HWLOC_COMPONENTS"), nullptr);
}

}  // namespace
}  // namespace atl::cluster

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
