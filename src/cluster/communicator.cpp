#include "cluster/communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <list>

namespace atl::cluster {
namespace {

// Tags of the point-to-point messages of exchange().
constexpr int length_tag = 1, data_tag = 2;

template <typename T>
T reduce(T value, MPI_Datatype type, MPI_Op operation) {
  T result{};
  MPI_Allreduce(&value, &result, 1, type, operation, MPI_COMM_WORLD);
  return result;
}

// Calls visit(begin, count) for each part of a message of `bytes`.
template <typename Visit>
void for_each_part(std::size_t bytes, std::size_t largest, Visit visit) {
  for (std::size_t begin = 0; begin < bytes; begin += largest)
    visit(begin, static_cast<int>(std::min(largest, bytes - begin)));
}

void broadcast_parts(std::byte* data, std::size_t bytes, std::size_t largest) {
  for_each_part(bytes, largest,
                [&](std::size_t begin, int count) { MPI_Bcast(data + begin, count, MPI_BYTE, 0, MPI_COMM_WORLD); });
}

// Messages under way, each a length and then its bytes in parts. What is sent and where it is received must stay in
// place until finish().
class Transfers {
 public:
  explicit Transfers(std::size_t largest) : largest_(largest) {}

  void send(int rank, const std::vector<std::byte>& bytes) {
    const std::uint64_t& length = sent_lengths_.emplace_back(bytes.size());
    MPI_Isend(&length, 1, MPI_UINT64_T, rank, length_tag, MPI_COMM_WORLD, &parts_.emplace_back());
    for_each_part(bytes.size(), largest_, [&](std::size_t begin, int count) {
      MPI_Isend(bytes.data() + begin, count, MPI_BYTE, rank, data_tag, MPI_COMM_WORLD, &parts_.emplace_back());
    });
  }

  void receive(int rank, std::vector<std::byte>& bytes) {
    Incoming& incoming = incoming_.emplace_back(Incoming{rank, 0, &bytes});
    MPI_Irecv(&incoming.length, 1, MPI_UINT64_T, rank, length_tag, MPI_COMM_WORLD, &lengths_.emplace_back());
  }

  void finish() {
    MPI_Waitall(static_cast<int>(lengths_.size()), lengths_.data(), MPI_STATUSES_IGNORE);
    for (const Incoming& incoming : incoming_) {
      incoming.bytes->resize(incoming.length);
      for_each_part(incoming.length, largest_, [&](std::size_t begin, int count) {
        MPI_Irecv(incoming.bytes->data() + begin, count, MPI_BYTE, incoming.rank, data_tag, MPI_COMM_WORLD,
                  &parts_.emplace_back());
      });
    }
    MPI_Waitall(static_cast<int>(parts_.size()), parts_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  struct Incoming {
    int rank;
    std::uint64_t length;
    std::vector<std::byte>* bytes;
  };

  std::size_t largest_;
  std::list<std::uint64_t> sent_lengths_;  // lists: MPI holds addresses into them
  std::list<Incoming> incoming_;
  std::vector<MPI_Request> lengths_, parts_;
};

std::vector<std::byte> to_bytes(const std::string& text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty()) std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

std::string to_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string processor_name() {
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

}  // namespace

struct Communicator::Node {
  MPI_Comm communicator = MPI_COMM_NULL;

  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node() {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0 && communicator != MPI_COMM_NULL) MPI_Comm_free(&communicator);
  }
};

Communicator::Communicator(std::size_t largest_message)
    : largest_message_(std::clamp<std::size_t>(largest_message, 1, std::size_t{1} << 30)), host_(processor_name()) {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  auto node = std::make_shared<Node>();
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node->communicator);
  MPI_Comm_size(node->communicator, &node_size_);

  // Some launchers give every rank a shared-memory group of its own: then the name of the host decides.
  const std::vector<std::string> hosts = gather_all(host_);
  const bool alone = node_size_ == 1 && std::ranges::count(hosts, host_) > 1;
  if (max(std::int64_t{alone}) != 0) {
    MPI_Comm_free(&node->communicator);
    const auto first = std::ranges::find(hosts, host_) - hosts.begin();
    MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(first), rank_, &node->communicator);
  }
  MPI_Comm_size(node->communicator, &node_size_);
  MPI_Comm_rank(node->communicator, &node_rank_);
  node_ = std::move(node);
}

void Communicator::barrier() const {
  MPI_Barrier(MPI_COMM_WORLD);
}

void Communicator::node_barrier() const {
  MPI_Barrier(node_->communicator);
}

double Communicator::max(double value) const {
  return reduce(value, MPI_DOUBLE, MPI_MAX);
}

double Communicator::min(double value) const {
  return reduce(value, MPI_DOUBLE, MPI_MIN);
}

std::int64_t Communicator::max(std::int64_t value) const {
  return reduce(value, MPI_INT64_T, MPI_MAX);
}

std::int64_t Communicator::sum(std::int64_t value) const {
  return reduce(value, MPI_INT64_T, MPI_SUM);
}

void Communicator::broadcast(std::vector<std::byte>& bytes) const {
  std::uint64_t length = bytes.size();
  MPI_Bcast(&length, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  bytes.resize(length);
  broadcast_parts(bytes.data(), length, largest_message_);
}

std::string Communicator::broadcast(const std::string& text) const {
  std::vector<std::byte> bytes = to_bytes(text);
  broadcast(bytes);
  return to_text(bytes);
}

std::vector<std::vector<std::byte>> Communicator::gather(const std::vector<std::byte>& bytes) const {
  Transfers transfers(largest_message_);
  if (!root()) {
    transfers.send(0, bytes);
    transfers.finish();
    return {};
  }
  std::vector<std::vector<std::byte>> all(size_);
  all[0] = bytes;
  for (int r = 1; r < size_; ++r) transfers.receive(r, all[r]);
  transfers.finish();
  return all;
}

std::vector<std::string> Communicator::gather_all(const std::string& text) const {
  std::uint64_t length = text.size();
  std::vector<std::uint64_t> lengths(size_);
  std::uint64_t* const first = lengths.data();
  MPI_Allgather(&length, 1, MPI_UINT64_T, first, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  std::uint64_t total = 0;
  for (const std::uint64_t each : lengths) total += each;
  std::string all;
  for (const std::vector<std::byte>& each : gather(to_bytes(text))) all += to_text(each);
  all.resize(total);
  broadcast_parts(reinterpret_cast<std::byte*>(all.data()), total, largest_message_);
  std::vector<std::string> texts;
  std::size_t begin = 0;
  for (const std::uint64_t each : lengths) {
    texts.push_back(all.substr(begin, each));
    begin += each;
  }
  return texts;
}

std::map<int, std::vector<std::byte>> Communicator::exchange(const std::map<int, std::vector<std::byte>>& sends,
                                                             const std::vector<int>& from) const {
  std::map<int, std::vector<std::byte>> received;
  Transfers transfers(largest_message_);
  for (const int r : from)
    if (r != rank_) transfers.receive(r, received[r]);
  for (const auto& [r, bytes] : sends) {
    if (r == rank_)
      received[r] = bytes;
    else
      transfers.send(r, bytes);
  }
  transfers.finish();
  return received;
}

void Communicator::abort(int code) const {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace atl::cluster
