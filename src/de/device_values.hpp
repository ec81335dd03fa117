// Numbers on the device as the host sees them: reals of the working precision in double, lists that rarely change.
#pragma once
#include <utility>
#include <vector>

#include "device/fetch.hpp"
#include "device/opencl.hpp"

namespace atl::de {

/// A buffer of reals that the host sees in double.
class Reals {
 public:
  Reals() = default;
  Reals(const device::Device& device, std::size_t count, bool single)
      : device_(&device), single_(single), count_(count), buffer_(device::allocate(device, count * size())) {}

  void write(const std::vector<double>& values, std::size_t offset = 0) const {
    if (values.empty()) return;
    if (single_) {
      const std::vector<float> narrow(values.begin(), values.end());
      device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, offset * size(), narrow.size() * size(), narrow.data());
    } else {
      device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, offset * size(), values.size() * size(), values.data());
    }
  }

  [[nodiscard]] std::vector<double> read(std::size_t count, std::size_t offset = 0) const {
    std::vector<double> values(count);
    if (count == 0) return values;
    if (single_) {
      std::vector<float> narrow(count);
      device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, offset * size(), count * size(), narrow.data());
      values.assign(narrow.begin(), narrow.end());
    } else {
      device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, offset * size(), count * size(), values.data());
    }
    return values;
  }

  /// The first `count`, not waited for.
  void start(device::Fetch& fetch, std::size_t count) const { fetch.start(*device_, buffer_, count * size()); }
  /// Waits for what start() asked for.
  [[nodiscard]] std::vector<double> taken(device::Fetch& fetch) const {
    const auto widened = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
    return single_ ? widened(fetch.take_as<float>()) : widened(fetch.take_as<double>());
  }

  /// The whole buffer as it is, for checkpoints.
  [[nodiscard]] std::vector<std::byte> bits() const {
    std::vector<std::byte> bytes(count_ * size());
    if (!bytes.empty()) device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, bytes.size(), bytes.data());
    return bytes;
  }
  void write_bits(const std::vector<std::byte>& bytes) const {
    if (!bytes.empty()) device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, bytes.size(), bytes.data());
  }

  void fill(double value) const {
    if (count_ == 0) return;
    if (single_)
      device_->queue.enqueueFillBuffer(buffer_, static_cast<cl_float>(value), 0, count_ * size());
    else
      device_->queue.enqueueFillBuffer(buffer_, static_cast<cl_double>(value), 0, count_ * size());
  }
  [[nodiscard]] const cl::Buffer& buffer() const { return buffer_; }
  [[nodiscard]] std::size_t size() const { return single_ ? 4 : 8; }

 private:
  const device::Device* device_ = nullptr;
  bool single_ = false;
  std::size_t count_ = 0;
  cl::Buffer buffer_;
};

/// A list on the device that is sent again only when it changed; most exchanges move the same rows.
template <typename T>
class List {
 public:
  const cl::Buffer& set(const device::Device& device, const std::vector<T>& values) {
    if (buffer_() != nullptr && values == values_) return buffer_;
    if (buffer_() == nullptr || values.size() > values_.size())
      buffer_ = device::allocate(device, values.size() * sizeof(T));
    values_ = values;
    if (!values.empty()) device.queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    return buffer_;
  }

 private:
  std::vector<T> values_;
  cl::Buffer buffer_;
};

template <typename T>
cl::Buffer upload(const device::Device& device, const std::vector<T>& values) {
  cl::Buffer buffer = device::allocate(device, values.size() * sizeof(T));
  if (!values.empty()) device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

/// A real as a kernel argument.
inline void set_real(cl::Kernel& kernel, cl_uint index, double value, bool single) {
  if (single)
    kernel.setArg(index, static_cast<cl_float>(value));
  else
    kernel.setArg(index, static_cast<cl_double>(value));
}

}  // namespace atl::de
