#include "som/batch_writer.hpp"

#include <utility>

namespace atl::som {
namespace {

constexpr std::size_t most_waiting = std::size_t{256} << 20;

std::size_t bytes_of(const std::variant<store::SomBatch, BatchWriter::Packed>& batch) {
  if (const auto* packed = std::get_if<BatchWriter::Packed>(&batch)) return packed->size();
  return store::packed_bytes(std::get<store::SomBatch>(batch));
}

}  // namespace

BatchWriter::BatchWriter(std::function<void(const store::SomBatch&)> store, std::size_t ranks)
    : store_(std::move(store)), maps_(ranks), thread_([this] { work(); }) {}

BatchWriter::~BatchWriter() {
  if (thread_.joinable()) std::ignore = finish();
}

void BatchWriter::add(std::variant<store::SomBatch, Packed> batch) {
  const std::size_t bytes = bytes_of(batch);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() || bytes_ + bytes <= most_waiting; });
  bytes_ += bytes;
  waiting_.push_back({std::move(batch), bytes});
  changed_.notify_all();
}

std::optional<Error> BatchWriter::failure() {
  const std::lock_guard lock(mutex_);
  return failure_;
}

std::vector<std::int64_t> BatchWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  thread_.join();
  return maps_;
}

void BatchWriter::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return over_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Waiting& front = waiting_.front();  // stays where it is while others are added behind it
    if (!failure_) {
      lock.unlock();
      std::optional<Error> failure;
      try {
        take(front);
      } catch (const Error& error) {
        failure = error;
      } catch (const std::exception& error) {
        failure = Error(ExitCode::internal, error.what());
      }
      lock.lock();
      failure_ = failure;
    }
    bytes_ -= front.bytes;
    waiting_.pop_front();
    changed_.notify_all();
  }
}

void BatchWriter::take(Waiting& waiting) {
  if (const auto* packed = std::get_if<Packed>(&waiting.batch)) waiting.batch = store::unpack_som_batch(*packed);
  const auto& batch = std::get<store::SomBatch>(waiting.batch);
  store_(batch);
  maps_[static_cast<std::size_t>(batch.rank)] += static_cast<std::int64_t>(batch.index.size());
}

}  // namespace atl::som
