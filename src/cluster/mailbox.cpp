#include "cluster/mailbox.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <list>
#include <map>
#include <utility>

namespace atl::cluster {
namespace {

struct Send {
  std::vector<std::byte> bytes;
  std::vector<MPI_Request> requests;  // one a part
};

struct Part {
  int source = 0, tag = 0;
  std::vector<std::byte> bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Assembly {
  std::vector<std::byte> bytes;
  std::size_t filled = 0;
  bool open = false;
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
  std::list<Part> parts;              // receives in flight, in order of arrival
  std::size_t received = 0;           // parts
  std::map<int, Assembly> assembled;  // by source: a message whose parts are still coming

  void drop_finished_sends() {
    sends.remove_if([](Send& send) { return std::all_of(send.requests.begin(), send.requests.end(), done); });
  }

  void start_receives() {
    while (true) {
      int flag = 0;
      MPI_Message handle = MPI_MESSAGE_NULL;
      MPI_Status status;
      MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator, &flag, &handle, &status);
      if (flag == 0) return;
      int length = 0;
      MPI_Get_count(&status, MPI_BYTE, &length);
      Part& part = parts.emplace_back();
      part.source = status.MPI_SOURCE;
      part.tag = status.MPI_TAG;
      part.bytes.resize(static_cast<std::size_t>(length));
      MPI_Imrecv(part.bytes.data(), length, MPI_BYTE, &handle, &part.request);
    }
  }

  /// Adds a received part to its message; true when the message is whole. The first part opens with the length.
  bool add(Part& part) {
    Assembly& assembly = assembled[part.source];
    std::size_t skip = 0;
    if (!assembly.open) {
      std::uint64_t length = 0;
      std::memcpy(&length, part.bytes.data(), sizeof length);
      skip = sizeof length;
      assembly.bytes.resize(length);
      assembly.filled = 0;
      assembly.open = true;
    }
    std::copy(part.bytes.begin() + static_cast<std::ptrdiff_t>(skip), part.bytes.end(),
              assembly.bytes.begin() + static_cast<std::ptrdiff_t>(assembly.filled));
    assembly.filled += part.bytes.size() - skip;
    return assembly.filled == assembly.bytes.size();
  }
};

Mailbox::Mailbox(std::size_t part_bytes) : state_(std::make_unique<State>()) {
  MPI_Comm_dup(MPI_COMM_WORLD, &state_->communicator);
  MPI_Comm_rank(state_->communicator, &rank_);
  MPI_Comm_size(state_->communicator, &size_);
  state_->part_bytes = std::max(part_bytes, sizeof(std::uint64_t));
}

Mailbox::~Mailbox() {
  for (Send& send : state_->sends)
    MPI_Waitall(static_cast<int>(send.requests.size()), send.requests.data(), MPI_STATUSES_IGNORE);
  MPI_Comm_free(&state_->communicator);
}

void Mailbox::post(int destination, int tag, std::vector<std::byte> bytes) {
  const std::uint64_t length = bytes.size();
  bytes.insert(bytes.begin(), sizeof length, std::byte{});
  std::memcpy(bytes.data(), &length, sizeof length);
  Send& send = state_->sends.emplace_back();
  send.bytes = std::move(bytes);
  for (std::size_t begin = 0; begin < send.bytes.size(); begin += state_->part_bytes) {
    const std::size_t count = std::min(state_->part_bytes, send.bytes.size() - begin);
    MPI_Isend(send.bytes.data() + begin, static_cast<int>(count), MPI_BYTE, destination, tag, state_->communicator,
              &send.requests.emplace_back());
  }
  state_->drop_finished_sends();
}

std::optional<Message> Mailbox::receive() {
  state_->drop_finished_sends();
  state_->start_receives();
  std::vector<int> waiting;  // sources whose earlier part is still on its way: their later parts keep their turn
  for (auto part = state_->parts.begin(); part != state_->parts.end();) {
    const int source = part->source;
    if (std::find(waiting.begin(), waiting.end(), source) != waiting.end()) {
      ++part;
      continue;
    }
    if (!done(part->request)) {
      waiting.push_back(source);
      ++part;
      continue;
    }
    const bool whole = state_->add(*part);
    ++state_->received;
    const int tag = part->tag;
    part = state_->parts.erase(part);
    if (whole) {
      Message message{source, tag, std::move(state_->assembled[source].bytes)};
      state_->assembled.erase(source);
      return message;
    }
  }
  return std::nullopt;
}

bool Mailbox::arriving() const {
  return !state_->parts.empty() || !state_->assembled.empty();
}

std::size_t Mailbox::parts_received() const {
  return state_->received;
}

bool Mailbox::delivered() {
  state_->drop_finished_sends();
  return state_->sends.empty();
}

}  // namespace atl::cluster
