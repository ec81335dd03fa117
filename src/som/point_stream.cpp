#include "som/point_stream.hpp"

#include <algorithm>
#include <numeric>

#include "som/device_points.hpp"
#include "som/streams.hpp"

namespace atl::som {
namespace {

constexpr std::uint64_t most_places = std::uint64_t{1} << 31;  // kernels count the points of all windows in 32 bits
constexpr std::uint64_t positions_at_once = 4096;              // their order stays in the cache

/// The points from position `first` of an epoch on.
std::vector<std::uint32_t> points_in_order(const TrainerInputs& inputs, std::uint64_t stream, std::uint64_t epoch,
                                           std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> order(count);
  const auto n = static_cast<std::uint32_t>(inputs.data.rows);
  switch (inputs.training.order) {
    case config::SampleOrder::shuffled:
      part_of_epoch_order(inputs.seed, stream, static_cast<std::uint32_t>(epoch), n, first, order);
      break;
    case config::SampleOrder::sequential:
      std::iota(order.begin(), order.end(), first);
      break;
    case config::SampleOrder::file:
      std::copy_n(inputs.orders.begin() + static_cast<std::ptrdiff_t>(epoch * n + first), count, order.begin());
      break;
  }
  return order;
}

}  // namespace

template <typename Real>
PointStream<Real>::PointStream(Engine& engine, std::vector<std::uint64_t> streams)
    : engine_(engine), streams_(std::move(streams)) {
  const std::uint64_t bytes = bytes_of_a_part(engine.device.info, engine.inputs);
  const std::uint64_t windows = streams_.size();
  most_steps_ =
      std::max<std::uint64_t>(std::min(bytes / (windows * engine.columns() * sizeof(Real)), most_places / windows), 1);
}

template <typename Real>
const cl::Buffer& PointStream<Real>::load(std::uint64_t first, std::uint64_t steps) {
  const std::size_t a_window = steps * engine_.columns();
  if (windows_.size() < a_window * streams_.size()) {
    windows_.resize(a_window * streams_.size());
    buffer_ = cl::Buffer();  // makes room for the larger one
    buffer_ = device::allocate(engine_.device, windows_.size() * sizeof(Real));
  }
  for (std::size_t w = 0; w < streams_.size(); ++w) gather(streams_[w], first, steps, windows_.data() + w * a_window);
  engine_.device.queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, a_window * streams_.size() * sizeof(Real),
                                          windows_.data());
  return buffer_;
}

template <typename Real>
void PointStream<Real>::gather(std::uint64_t stream, std::uint64_t first, std::uint64_t steps, Real* to) const {
  const std::uint64_t n = engine_.points();
  const std::size_t m = engine_.columns();
  for (std::uint64_t step = first; step < first + steps;) {
    const std::uint64_t count = std::min({n - step % n, first + steps - step, positions_at_once});
    const auto position = static_cast<std::uint32_t>(step % n);
    for (const std::uint32_t point : points_in_order(engine_.inputs, stream, step / n, position, count)) {
      const double* x = engine_.inputs.data.values.data() + point * m;
      for (std::size_t c = 0; c < m; ++c) *to++ = static_cast<Real>(x[c]);
    }
    step += count;
  }
}

template class PointStream<float>;
template class PointStream<double>;

}  // namespace atl::som
