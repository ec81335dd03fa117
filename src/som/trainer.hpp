// Trains many maps at once on one OpenCL device and measures each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "som/map.hpp"
#include "som/scaling.hpp"

namespace atl::device {
struct Device;
struct DeviceInfo;
}  // namespace atl::device

namespace atl::som {

/// Start weights of MapInitial::file, in scaled space, finite.
struct Codebook {
  std::int32_t neurons = 0;
  std::vector<double> values;  // (neurons, columns), row-major
};

/// Ways to train online. All give the same weights; `automatic` picks by device kind, map and batch.
enum class Variant {
  automatic,
  registers,  // CPU: a work-item trains a few small maps at a time, weights in vector registers
  vectors,    // CPU: a work-item trains one map of any size
  team,       // GPU: 8 to 1,024 work-items train one map, weights in registers
  group       // GPU: a work-group trains one map of any size, weights in global memory
};

/// What every map of a sweep is trained on and how.
struct TrainerInputs {
  ScaledData data;
  config::SomTraining training;
  std::uint64_t seed = 1;
  config::Precision precision = config::Precision::real32;
  std::vector<Codebook> codebooks;   // MapInitial::file
  std::vector<std::int32_t> orders;  // SampleOrder::file: (epochs, points), each row a permutation, already checked
  Variant variant = Variant::automatic;
  std::size_t point_bytes = SIZE_MAX;  // on the device at a time, at most; tests set it
};

/// Where the last train() spent the device's time, in seconds, and what it ran: "team 32x4 x1 ptx, ...".
struct TrainingTimes {
  double training = 0, measuring = 0;
  std::string kernels;
};

class Trainer {
 public:
  /// Called once a finished map with its index in the span, from the calling thread, in no fixed order.
  using Finished = std::function<void(std::size_t index, TrainedMap&& map)>;
  /// Asked between launches, every 0.1 to 1 s. True: leave; maps that are not finished are dropped.
  using Stop = std::function<bool()>;

  /// Points that do not fit into the memory of the device are brought to it in parts; the maps are the same, bit for
  /// bit. `device` must outlive the trainer.
  Trainer(const device::Device& device, TrainerInputs inputs);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// Trains and measures every map; false when `stop` ended it early. The same bits however a sweep is cut into calls.
  bool train(std::span<const MapSetting> maps, const Finished& finished, const Stop& stop = {});

  /// Share of the running train() call that is done, 0..1; for progress, asked from `stop`.
  [[nodiscard]] double progress() const;

  [[nodiscard]] const TrainingTimes& times() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Work of a map in neuron-steps (points * epochs * (neurons + overhead), more for wide data). For dealing: see
/// neuron_steps_per_second for an estimate in seconds.
[[nodiscard]] double cost(const MapSetting& map, std::size_t points, std::size_t columns,
                          const config::SomTraining& training);

/// A rough speed for estimates before anything ran.
[[nodiscard]] double neuron_steps_per_second(bool gpu, unsigned compute_units, config::Precision precision);

/// Maps of this kind that a device trains in about the time of one: the width for a dealer.
[[nodiscard]] std::size_t device_width(const MapSetting& map, bool gpu, unsigned compute_units);

/// Whether all points, and the orders of a file, stay on the device.
[[nodiscard]] bool points_stay(const device::DeviceInfo& info, const TrainerInputs& inputs);

/// Points that are on the device at a time in measuring and batch training: all of them, or as many as fit.
[[nodiscard]] std::size_t points_on_device(const device::DeviceInfo& info, const TrainerInputs& inputs);

/// What to tell of points that do not stay; empty where they do.
[[nodiscard]] std::string note_of_points(const device::DeviceInfo& info, const TrainerInputs& inputs);

/// Bytes on the device for `maps` trained at once over these points; for --dry-run.
[[nodiscard]] std::size_t device_bytes(std::span<const MapSetting> maps, std::size_t points, std::size_t columns,
                                       config::Precision precision);

/// Refuses what no device can train (78): mexican_hat in batch, an exponential decay without a positive end, an odd
/// number of rows on a hexagonal toroid. The place in the sweep file goes before the message.
void check_trainable(const MapSetting& map, const config::SomTraining& training, const Location& where);

}  // namespace atl::som
