#include "de/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace atl::de {
namespace {

using config::Topology;
using Ids = std::vector<std::int64_t>;

constexpr Topology all[] = {Topology::unconnected, Topology::ring, Topology::bidirectional_ring, Topology::complete};

TEST(Topology, UnconnectedIslandsReceiveNothing) {
  for (std::int64_t island = 0; island < 5; ++island) EXPECT_EQ(sources(Topology::unconnected, island, 5), Ids{});
}

TEST(Topology, RingReceivesFromThePredecessorAndCloses) {
  EXPECT_EQ(sources(Topology::ring, 0, 8), Ids{7});
  EXPECT_EQ(sources(Topology::ring, 1, 8), Ids{0});
  EXPECT_EQ(sources(Topology::ring, 7, 8), Ids{6});
}

TEST(Topology, BidirectionalRingReceivesFromBothNeighboursInAscendingOrder) {
  EXPECT_EQ(sources(Topology::bidirectional_ring, 0, 8), (Ids{1, 7}));
  EXPECT_EQ(sources(Topology::bidirectional_ring, 3, 8), (Ids{2, 4}));
  EXPECT_EQ(sources(Topology::bidirectional_ring, 7, 8), (Ids{0, 6}));
}

TEST(Topology, TwoIslandsOnABidirectionalRingAreOneSourceForEachOther) {
  EXPECT_EQ(sources(Topology::bidirectional_ring, 0, 2), Ids{1});
  EXPECT_EQ(sources(Topology::bidirectional_ring, 1, 2), Ids{0});
}

TEST(Topology, CompleteReceivesFromAllOthers) {
  EXPECT_EQ(sources(Topology::complete, 2, 5), (Ids{0, 1, 3, 4}));
}

TEST(Topology, NoIslandIsItsOwnSource) {
  for (const Topology topology : all) {
    for (std::int64_t islands = 1; islands <= 9; ++islands) {
      for (std::int64_t island = 0; island < islands; ++island) {
        const Ids ids = sources(topology, island, islands);

        EXPECT_EQ(std::count(ids.begin(), ids.end(), island), 0);
        EXPECT_TRUE(std::all_of(ids.begin(), ids.end(), [&](std::int64_t id) { return id >= 0 && id < islands; }));
        EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
      }
    }
  }
}

TEST(Topology, ASingleIslandHasNoSource) {
  for (const Topology topology : all) EXPECT_EQ(sources(topology, 0, 1), Ids{});
}

TEST(Topology, CompleteAbove4096IslandsIsRefusedWithTheLimit) {
  EXPECT_EQ(sources(Topology::complete, 0, 4096).size(), 4095U);

  try {
    (void)sources(Topology::complete, 0, 4097);
    FAIL() << "4097 islands were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
    EXPECT_NE(std::string(error.what()).find("at most 4096 islands, and there are 4097"), std::string::npos);
  }
}

}  // namespace
}  // namespace atl::de
