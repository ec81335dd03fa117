// What online training, batch training and measuring share: the device, the data on it, built programs, launches.
#pragma once
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/opencl.hpp"
#include "som/initial.hpp"
#include "som/trainer.hpp"

namespace atl::som {

struct Engine {
  const device::Device& device;
  TrainerInputs inputs;
  PrincipalComponents components;  // of the data; only `mean` unless the maps start from it
  double total_squares = 0;        // around the mean, over the present cells
  std::map<std::string, cl::Program> programs;
  bool points_stay = true;                 // on the device, and the order file too
  std::size_t points_at_once = 0;          // in measuring and batch training: all, or a multiple of points_a_block
  std::map<std::string, cl::Buffer> data;  // copies of the points, made when first asked for: device_points.hpp
  double work_done = 0, work_planned = 0;  // neuron-steps of the running call
  std::function<bool()> stop;
  TrainingTimes times;
  std::vector<std::int32_t> winners;  // of the maps measured last
  bool warp_instructions = false;     // inline PTX of NVIDIA GPUs from Ampere on
  std::chrono::steady_clock::time_point looked = {};

  /// Lets the caller of Trainer::train see to its messages within a long stretch of the host's own work. Whether to
  /// stop is asked again before the next launch.
  void look();

  [[nodiscard]] bool single() const { return inputs.precision == config::Precision::real32; }
  [[nodiscard]] bool gpu() const { return device.info.gpu; }
  [[nodiscard]] std::size_t points() const { return inputs.data.rows; }
  [[nodiscard]] std::size_t columns() const { return inputs.data.columns(); }
  /// Measures are computed in double where the device has it.
  [[nodiscard]] bool measures_in_single() const { return !device.info.has_double; }
};

/// NVIDIA from compute capability 8 on: redux.sync and its like.
[[nodiscard]] bool has_warp_instructions(const device::Device& device);

/// A kernel of the program made of `files` (below kernels/, after common/real.cl) with `options`, built once.
[[nodiscard]] cl::Kernel kernel(Engine& engine, const char* name, std::span<const std::string_view> files, bool single,
                                const std::string& options);

/// -DCOLUMNS -DMETRIC and, where the data have missing cells, -DMISSING.
[[nodiscard]] std::string data_options(const Engine& engine);

template <typename... Args>
void set_arguments(cl::Kernel& kernel, const Args&... args) {
  cl_uint index = 0;
  (kernel.setArg(index++, args), ...);
}

/// Maps a launch has along y at most: what CUDA devices take in that direction.
inline constexpr std::size_t most_maps_a_launch = 65535;

/// Enqueues and returns; `width` work-items along x share a group on a GPU, where x is rounded up to whole groups.
cl::Event launch(Engine& engine, const cl::Kernel& kernel, std::size_t x, std::size_t y = 1, std::size_t z = 1,
                 std::size_t width = 64);

template <typename T>
[[nodiscard]] cl::Buffer upload(const Engine& engine, const std::vector<T>& values) {
  cl::Buffer buffer = device::allocate(engine.device, values.size() * sizeof(T));
  if (!values.empty())
    engine.device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

template <typename T>
[[nodiscard]] std::vector<T> download(const Engine& engine, const cl::Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  if (count > 0) engine.device.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
  return values;
}

/// Trained weights, row-major in double, of maps[i] for each i in `chosen`.
using WeightsOfMaps = std::vector<std::vector<double>>;

}  // namespace atl::som
