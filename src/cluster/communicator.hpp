// The few things we ask of MPI. Owns the process's MPI_Init/Finalize through Environment; no other module calls MPI.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace atl::cluster {

/// MPI_Init ... MPI_Finalize. Make one in main before anything else. Throws 64 when the launcher started separate
/// copies (size 1 inside a Slurm step of several tasks).
class Environment {
 public:
  Environment(int* argc, char*** argv);
  ~Environment();
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
};

[[nodiscard]] std::string mpi_library_version();  // first line, e.g. "Open MPI v4.1.4, ..."

/// All ranks of the job, and this rank's place on its node. Every method but the plain getters is collective. Copies
/// share what they hold.
class Communicator {
 public:
  /// Longer messages than `largest_message` travel in parts; below MPI's limit of 2 GiB.
  explicit Communicator(std::size_t largest_message = std::size_t{1} << 30);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int node_rank() const { return node_rank_; }  // 0 .. node_size - 1 among the ranks of this host
  [[nodiscard]] int node_size() const { return node_size_; }
  [[nodiscard]] const std::string& host() const { return host_; }
  [[nodiscard]] bool root() const { return rank_ == 0; }

  void barrier() const;
  void node_barrier() const;  // the ranks of this host
  [[nodiscard]] double max(double value) const;
  [[nodiscard]] double min(double value) const;
  [[nodiscard]] std::int64_t max(std::int64_t value) const;
  [[nodiscard]] std::int64_t sum(std::int64_t value) const;
  void broadcast(std::vector<std::byte>& bytes) const;                 // from rank 0; resizes on the others
  [[nodiscard]] std::string broadcast(const std::string& text) const;  // from rank 0
  /// Every rank's bytes, in rank order, on rank 0 (empty elsewhere). Above 2 GiB in total too.
  [[nodiscard]] std::vector<std::vector<std::byte>> gather(const std::vector<std::byte>& bytes) const;
  [[nodiscard]] std::vector<std::string> gather_all(const std::string& text) const;  // on every rank

  /// Sends sends[r] to each rank r named there and receives from each rank in `from`; point to point, not collective
  /// over ranks that have nothing to say. Both sides must name each other.
  [[nodiscard]] std::map<int, std::vector<std::byte>> exchange(const std::map<int, std::vector<std::byte>>& sends,
                                                               const std::vector<int>& from) const;

  /// Ends all ranks with `code`, now.
  [[noreturn]] void abort(int code) const;

 private:
  struct Node;
  int rank_ = 0, size_ = 1, node_rank_ = 0, node_size_ = 1;
  std::size_t largest_message_;
  std::string host_;
  std::shared_ptr<const Node> node_;
};

}  // namespace atl::cluster
