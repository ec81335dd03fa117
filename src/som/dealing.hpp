// Which rank trains which maps, decided while they work: longest first, in batches that shrink toward the end and
// follow how fast each rank turned out to be. Pure bookkeeping: no clock, no messages; the run and the tests bring
// theirs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace atl::som {

/// What a batch may hold at most, whatever the balance asks for.
struct BatchLimits {
  std::size_t maps = SIZE_MAX;
  std::uint64_t bytes = UINT64_MAX;  // of the results of the batch; a single larger map still goes
  /// Expected time of the batch, where it is more than the width of the device: what a device trains together is lost
  /// together when the run is stopped.
  double seconds = std::numeric_limits<double>::infinity();
};

class Dealer {
 public:
  /// `costs[i]` is the expected work of item i in any unit, `bytes[i]` the size of its result. Items are dealt by
  /// falling cost, ties in order of their index.
  Dealer(const std::vector<double>& costs, const std::vector<std::uint64_t>& bytes, int workers, BatchLimits limits);

  /// Maps that this worker's device trains at no more cost than one (a GPU's width); default 1. A batch smaller than
  /// this wastes the device, so it is only cut below that when the maps run out.
  void set_width(int worker, std::size_t maps);

  /// Expected cost that this worker finishes in a second, until its first batch tells; default 1. Where estimates are
  /// wrong by one factor, only the limit in seconds feels it.
  void set_speed(int worker, double cost_per_second);

  /// The next items for `worker`; empty when none is left, or when what the worker still holds already fills its share:
  /// then ask again after the next finished().
  [[nodiscard]] std::vector<std::int64_t> deal(int worker);

  /// `worker` has trained the oldest batch it holds in `seconds`.
  void finished(int worker, double seconds);

  [[nodiscard]] bool empty() const { return next_ == order_.size(); }
  [[nodiscard]] double remaining_cost() const { return remaining_; }  // not yet dealt

 private:
  struct Worker {
    std::vector<double> held;  // cost of each batch dealt and not finished, oldest first
    double done = 0;           // cost finished
    double seconds = 0;        // spent on it
    std::size_t width = 1;
    double estimate = 1;  // of its speed
  };
  [[nodiscard]] std::vector<double> speeds() const;
  [[nodiscard]] double wanted_cost(int worker) const;
  [[nodiscard]] std::size_t longest_first(double wanted) const;
  std::size_t bring_forward(std::size_t count);

  std::vector<std::int64_t> order_;
  std::vector<double> costs_;
  std::vector<std::uint64_t> bytes_;
  std::vector<Worker> workers_;
  BatchLimits limits_;
  std::size_t next_ = 0;
  double remaining_ = 0;
};

}  // namespace atl::som
