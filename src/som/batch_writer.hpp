// A thread that stores what the ranks of a sweep have trained, while rank 0 trains on.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "store/som_layout.hpp"

namespace atl::som {

class BatchWriter {
 public:
  using Packed = std::vector<std::byte>;  // a batch as it travelled

  /// `store` is called on the thread, one batch after the other in the order of add(). `ranks`: of the job.
  BatchWriter(std::function<void(const store::SomBatch&)> store, std::size_t ranks);
  /// Stores what is still waiting.
  ~BatchWriter();
  BatchWriter(const BatchWriter&) = delete;
  BatchWriter& operator=(const BatchWriter&) = delete;

  /// Returns at once, unless so much is waiting that memory must not grow further.
  void add(std::variant<store::SomBatch, Packed> batch);
  /// What went wrong first: nothing is stored after it.
  [[nodiscard]] std::optional<Error> failure();
  /// Waits for all that was added; maps stored of each rank.
  [[nodiscard]] std::vector<std::int64_t> finish();

 private:
  struct Waiting {
    std::variant<store::SomBatch, Packed> batch;
    std::size_t bytes = 0;
  };
  void work();
  void take(Waiting& waiting);

  std::function<void(const store::SomBatch&)> store_;
  std::vector<std::int64_t> maps_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;  // the front one is being stored
  std::size_t bytes_ = 0;
  bool over_ = false;
  std::optional<Error> failure_;
  std::thread thread_;
};

}  // namespace atl::som
