// Bytes on their way from the device to the host while both go on.
#pragma once
#include <cstddef>
#include <span>

#include "device/opencl.hpp"

namespace atl::device {

/// Memory of the host that a device copies to by itself. A driver copies to any other memory only while the host waits,
/// whatever the flag of the call says (NVIDIA).
class PinnedMemory {
 public:
  PinnedMemory() = default;
  PinnedMemory(const Device& device, std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept;
  PinnedMemory& operator=(PinnedMemory&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  cl::CommandQueue queue_;
  cl::Buffer buffer_;
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

/// The front part of a buffer, asked for now and taken later. One object serves many times, one after the other; the
/// queue must be empty of it when it dies.
class Fetch {
 public:
  /// Enqueues the copy of `bytes` behind what the queue holds.
  void start(const Device& device, const cl::Buffer& buffer, std::size_t bytes);
  [[nodiscard]] bool started() const { return started_; }
  /// Waits for what was started. Valid until the next start(); empty when nothing was.
  [[nodiscard]] std::span<const std::byte> take();

  /// The same as numbers.
  template <typename T>
  [[nodiscard]] std::span<const T> take_as() {
    const auto bytes = take();
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};  // mapped memory is aligned for any
  }

 private:
  PinnedMemory memory_;
  std::size_t bytes_ = 0;
  bool started_ = false;
  cl::Event there_;
};

}  // namespace atl::device
