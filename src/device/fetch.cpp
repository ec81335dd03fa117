#include "device/fetch.hpp"

#include <utility>

namespace atl::device {

PinnedMemory::PinnedMemory(const Device& device, std::size_t bytes)
    : queue_(device.queue),
      buffer_(device.context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes),
      data_(queue_.enqueueMapBuffer(buffer_, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes)),
      size_(bytes) {}

PinnedMemory::~PinnedMemory() {
  if (data_ != nullptr) clEnqueueUnmapMemObject(queue_(), buffer_(), data_, 0, nullptr, nullptr);
}

PinnedMemory::PinnedMemory(PinnedMemory&& other) noexcept
    : queue_(std::move(other.queue_)),
      buffer_(std::move(other.buffer_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

PinnedMemory& PinnedMemory::operator=(PinnedMemory&& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(buffer_, other.buffer_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void Fetch::start(const Device& device, const cl::Buffer& buffer, std::size_t bytes) {
  if (memory_.size() < bytes) memory_ = PinnedMemory(device, bytes);
  bytes_ = bytes;
  started_ = true;
  there_ = cl::Event();
  if (bytes > 0) device.queue.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, memory_.data(), nullptr, &there_);
}

std::span<const std::byte> Fetch::take() {
  if (!std::exchange(started_, false)) return {};
  if (there_() != nullptr) there_.wait();
  return {memory_.data(), bytes_};
}

}  // namespace atl::device
