// The points of online training where they do not fit into the memory of the device: those of the next steps, in the
// order in which the maps visit them, gathered on the host. See STREAMED in kernels/som/task.cl.
#pragma once
#include <cstdint>
#include <vector>

#include "som/engine.hpp"

namespace atl::som {

template <typename Real>
class PointStream {
 public:
  /// `streams[w]` orders the points of window w; the maps share one window where their orders do not differ by map.
  PointStream(Engine& engine, std::vector<std::uint64_t> streams);

  /// At most this many steps a launch.
  [[nodiscard]] std::uint64_t most_steps() const { return most_steps_; }

  /// The points of steps first .. first + steps - 1, counted over all epochs: (windows, steps, columns).
  [[nodiscard]] const cl::Buffer& load(std::uint64_t first, std::uint64_t steps);

 private:
  void gather(std::uint64_t stream, std::uint64_t first, std::uint64_t steps, Real* to) const;

  Engine& engine_;
  std::vector<std::uint64_t> streams_;
  std::uint64_t most_steps_ = 1;
  std::vector<Real> windows_;
  cl::Buffer buffer_;
};

/// Whether every map visits the points in an order of its own.
[[nodiscard]] inline bool order_of_its_own(const Engine& engine) {
  return engine.inputs.training.order == config::SampleOrder::shuffled;
}

}  // namespace atl::som
