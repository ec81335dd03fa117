// The structs of kernels/som/{task,measured_map}.cl as the host fills them; Real is the kernels' working type.
#pragma once
#include <cstdint>

namespace atl::som {

template <typename Real>
struct DeviceTask {
  std::uint64_t stream, weights, table, distances, codes;
  std::int32_t neurons, rows, columns, epochs, table_length, origin, stride, reach_columns, wraps;
  Real row_height2;
};

template <typename Real>
struct DeviceSweep {
  Real sigma_end, eta_end;
  std::uint64_t seed;
  std::int32_t sigma_decay, eta_decay, per_step, neighborhood, order;
  std::uint32_t points;
};

template <typename Real>
struct DeviceReach {
  Real sigma, eta;
};

template <typename Real>
struct DeviceMeasuredMap {
  std::uint64_t weights, neurons_at, paths_at;
  Real sigma, eta;
  std::int32_t neurons, rows, columns, topology;
};

}  // namespace atl::som
