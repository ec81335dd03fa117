// Every rank runs every test.
#include <gtest/gtest.h>

#include <thread>

#include "cluster/mailbox.hpp"
#include "cluster/mpi_main.hpp"

namespace atl::cluster {
namespace {

std::vector<std::byte> message(int from, std::size_t bytes) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>(i * 7 + static_cast<std::size_t>(from));
  return result;
}

Message wait_for_one(Mailbox& mailbox) {
  while (true) {
    if (auto received = mailbox.receive()) return *std::move(received);
    std::this_thread::yield();
  }
}

TEST(Mailbox, IsEmptyBeforeAnythingWasPosted) {
  const Communicator communicator;
  Mailbox mailbox;

  EXPECT_FALSE(mailbox.receive().has_value());
  EXPECT_TRUE(mailbox.delivered());
  communicator.barrier();
}

TEST(Mailbox, MessagesOfAnyLengthArriveWholeInTheirOrder) {
  const std::vector<std::size_t> lengths = {0, 1, 7, 8, 9, 100'000, 3'000'000, 0, 5};
  Mailbox mailbox(1000);  // parts of a thousand bytes
  const int next = (mailbox.rank() + 1) % mailbox.size();
  const int previous = (mailbox.rank() + mailbox.size() - 1) % mailbox.size();

  for (std::size_t i = 0; i < lengths.size(); ++i)
    mailbox.post(next, static_cast<int>(i), message(mailbox.rank(), lengths[i]));

  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Message received = wait_for_one(mailbox);
    EXPECT_EQ(received.source, previous);
    EXPECT_EQ(received.tag, static_cast<int>(i));
    EXPECT_TRUE(received.bytes == message(previous, lengths[i])) << "message " << i;
  }
}

TEST(Mailbox, MessagesOfManySendersDoNotMix) {
  constexpr int each = 50;
  Mailbox mailbox(64);
  if (mailbox.rank() != 0) {
    for (int i = 0; i < each; ++i) mailbox.post(0, i, message(mailbox.rank(), static_cast<std::size_t>(i) * 20));
    return;
  }

  std::vector<int> seen(static_cast<std::size_t>(mailbox.size()), 0);
  for (int i = 0; i < each * (mailbox.size() - 1); ++i) {
    const Message received = wait_for_one(mailbox);
    int& count = seen[static_cast<std::size_t>(received.source)];
    EXPECT_EQ(received.tag, count);
    EXPECT_TRUE(received.bytes == message(received.source, static_cast<std::size_t>(count) * 20));
    ++count;
  }
}

TEST(Mailbox, PartsTellThatALongMessageMoves) {
  const Communicator communicator;
  Mailbox mailbox(1000);
  const int last = mailbox.size() - 1;
  EXPECT_FALSE(mailbox.arriving());
  communicator.barrier();

  if (mailbox.rank() == 0) mailbox.post(last, 1, message(0, 9'500));

  if (mailbox.rank() == last) {
    EXPECT_EQ(wait_for_one(mailbox).bytes.size(), 9'500U);
    EXPECT_EQ(mailbox.parts_received(), 11U);  // its length first
    EXPECT_FALSE(mailbox.arriving());
  }
}

TEST(Mailbox, PostingReturnsBeforeTheReceiverLooks) {
  const Communicator communicator;
  Mailbox mailbox;
  const int last = mailbox.size() - 1;

  if (mailbox.rank() == 0) mailbox.post(last, 3, message(0, 20'000'000));  // far above what MPI takes in eagerly
  communicator.barrier();  // every rank gets here though nobody has received yet

  if (mailbox.rank() == last) {
    EXPECT_TRUE(wait_for_one(mailbox).bytes == message(0, 20'000'000));
  }
}

}  // namespace
}  // namespace atl::cluster

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
