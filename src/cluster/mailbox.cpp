#include "cluster/mailbox.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <list>
#include <utility>

namespace atl::cluster {
namespace {

// A message travels as its length and then its bytes in parts, so that each part lands where it belongs.
using Length = std::uint64_t;

struct Send {
  Length length = 0;
  std::vector<std::byte> bytes;
  std::vector<MPI_Request> requests;  // of the length, and one a part
};

struct Arrival {
  int source = 0, tag = 0;
  std::vector<std::byte> bytes;
  std::size_t begun = 0;               // bytes that have a receive
  std::vector<MPI_Request> receiving;  // parts on their way

  [[nodiscard]] bool open() const { return begun < bytes.size(); }
};

bool done(MPI_Request& request) {
  int flag = 0;
  MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  return flag != 0;
}

}  // namespace

struct Mailbox::State {
  MPI_Comm communicator = MPI_COMM_NULL;
  std::size_t part_bytes = 0;
  std::list<Send> sends;
  std::list<Arrival> arrivals;  // in the order in which they began
  std::size_t received = 0;     // lengths and parts

  void drop_finished_sends() {
    sends.remove_if([](Send& send) { return std::all_of(send.requests.begin(), send.requests.end(), done); });
  }

  /// Gives every part that is there its place.
  void start_receives() {
    while (true) {
      int flag = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &flag, &handle, &status);
      if (flag == 0) return;
      const auto open = std::find_if(arrivals.begin(), arrivals.end(), [&](const Arrival& arrival) {
        return arrival.source == status.MPI_SOURCE && arrival.open();
      });
      if (open == arrivals.end())
        begin(status, handle);
      else
        go_on(*open, status, handle);
    }
  }

  void begin(const MPI_Status& status, MPI_Message handle) {
    Length length = 0;
    MPI_Mrecv(&length, sizeof length, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    Arrival& arrival = arrivals.emplace_back();
    arrival.source = status.MPI_SOURCE;
    arrival.tag = status.MPI_TAG;
    arrival.bytes.resize(length);
    ++received;
  }

  static void go_on(Arrival& arrival, const MPI_Status& status, MPI_Message handle) {
    int length = 0;
    MPI_Get_count(&status, MPI_BYTE, &length);
    MPI_Imrecv(arrival.bytes.data() + arrival.begun, length, MPI_BYTE, &handle, &arrival.receiving.emplace_back());
    arrival.begun += static_cast<std::size_t>(length);
  }

  /// Counts the parts that have come; true when the message is whole.
  bool whole(Arrival& arrival) {
    received += std::erase_if(arrival.receiving, done);
    return arrival.receiving.empty() && !arrival.open();
  }
};

Mailbox::Mailbox(std::size_t part_bytes) : state_(std::make_unique<State>()) {
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->communicator);
  MPI_Comm_rank(state_->communicator, &rank_);
  MPI_Comm_size(state_->communicator, &size_);
  state_->part_bytes = std::max<std::size_t>(part_bytes, 1);
}

Mailbox::~Mailbox() {
  for (Send& send : state_->sends)
    MPI_Waitall(static_cast<int>(send.requests.size()), send.requests.data(), MPI_STATUSES_IGNORE);
  MPI_Comm_free(&state_->communicator);
}

void Mailbox::post(int destination, int tag, std::vector<std::byte> bytes) {
  Send& send = state_->sends.emplace_back();
  send.length = bytes.size();
  send.bytes = std::move(bytes);
  const auto start = [&](const void* from, std::size_t count) {
    MPI_Isend(from, static_cast<int>(count), MPI_BYTE, destination, tag, state_->communicator,
              &send.requests.emplace_back());
  };
  start(&send.length, sizeof send.length);
  for (std::size_t begin = 0; begin < send.bytes.size(); begin += state_->part_bytes)
    start(send.bytes.data() + begin, std::min(state_->part_bytes, send.bytes.size() - begin));
  state_->drop_finished_sends();
}

std::optional<Message> Mailbox::receive() {
  state_->drop_finished_sends();
  state_->start_receives();
  std::vector<int> waiting;  // sources whose earlier message is still on its way: their later ones keep their turn
  for (auto arrival = state_->arrivals.begin(); arrival != state_->arrivals.end(); ++arrival) {
    const int source = arrival->source;
    if (std::find(waiting.begin(), waiting.end(), source) != waiting.end()) continue;
    if (!state_->whole(*arrival)) {
      waiting.push_back(source);
      continue;
    }
    Message message{source, arrival->tag, std::move(arrival->bytes)};
    state_->arrivals.erase(arrival);
    return message;
  }
  return std::nullopt;
}

bool Mailbox::arriving() const {
  return !state_->arrivals.empty();
}

std::size_t Mailbox::parts_received() const {
  return state_->received;
}

bool Mailbox::delivered() {
  state_->drop_finished_sends();
  return state_->sends.empty();
}

}  // namespace atl::cluster
