// Tagged byte messages between ranks that never make the caller wait: what a run needs to deal work while it computes.
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace atl::cluster {

struct Message {
  int source = 0;
  int tag = 0;
  std::vector<std::byte> bytes;
};

/// Messages of one sender arrive in the order of their posting; any length, also above MPI's 2 GiB. Large ones move
/// only while both sides call post() or receive() now and then.
class Mailbox {
 public:
  /// Collective: the mailbox has a communicator of its own. Longer messages travel in parts of `part_bytes`.
  explicit Mailbox(std::size_t part_bytes = std::size_t{1} << 30);
  ~Mailbox();  // collective; every message must have been received
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  void post(int destination, int tag, std::vector<std::byte> bytes);
  /// The next message that has arrived whole, if any.
  [[nodiscard]] std::optional<Message> receive();
  /// True while a message has begun to arrive: it needs further calls of receive(), here and on the side that sends.
  [[nodiscard]] bool arriving() const;
  /// Parts received so far: whether what is arriving moves.
  [[nodiscard]] std::size_t parts_received() const;
  /// True when everything posted has left this rank.
  [[nodiscard]] bool delivered();

 private:
  struct State;
  std::unique_ptr<State> state_;
  int rank_ = 0, size_ = 1;
};

}  // namespace atl::cluster
