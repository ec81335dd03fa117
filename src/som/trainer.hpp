// Trains many maps at once on one OpenCL device and measures each.
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "som/map.hpp"

namespace atoll::device {
struct Device;
}

namespace atoll::som {

/// Points in scaled space. NaN: a missing cell.
struct PointMatrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row-major

  [[nodiscard]] const double* row(std::size_t r) const { return values.data() + r * columns; }
};

/// Start weights of InitialWeights::file, in scaled space, finite.
struct Codebook {
  int neurons = 0;
  std::vector<double> values;  // (neurons, columns), row-major
};

/// What a sweep is trained on, besides the kinds in TrainingSettings.
struct TrainerInputs {
  PointMatrix points;
  std::vector<Codebook> codebooks;  // InitialWeights::file
  std::vector<std::int32_t>
      orders;  // PointOrder::file: (epochs, points), each row a permutation, checked by the caller
};

/// Ways to train online. All give the same weights; `automatic` picks by device kind, map and batch.
enum class Variant {
  automatic,
  registers,  // CPU: a work-item trains a few small maps at a time, weights in vector registers
  vectors,    // CPU: a work-item trains one map of any size
  team,       // GPU: 8 to 1,024 work-items train one map, weights in registers
  group       // GPU: a work-group trains one map of any size, weights in global memory
};

class Trainer {
 public:
  /// Called once a finished map with its index in the span, from the calling thread, in no fixed order.
  using Finished = std::function<void(std::size_t index, TrainedMap&& map)>;
  /// Asked between launches, every 0.1 to 1 s. True: leave; maps that are not finished are dropped.
  using Stop = std::function<bool()>;

  /// Copies the points to the device. Throws 65 for data that the settings cannot be used with (an empty column, pca or
  /// cosine with missing cells), 69 where they do not fit. `device` must outlive the trainer.
  Trainer(const device::Device& device, TrainerInputs inputs, const config::TrainingSettings& settings,
          Variant variant = Variant::automatic);
  ~Trainer();
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;

  /// Trains and measures every map; false when `stop` ended it early. The same bits however a sweep is cut into calls.
  bool train(std::span<const MapSetting> maps, const Finished& finished, const Stop& stop = {});

  /// True when some column was shifted before it was cast to the working precision: stored weights then need double.
  [[nodiscard]] bool centred() const;

  /// Fraction of the work of the running train() call that is done, 0..1; for progress, from `stop`.
  [[nodiscard]] double progress() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Relative cost of a map: epochs * points * (neurons + overhead) * columns-dependent factor. For dealing and
/// estimates.
[[nodiscard]] double cost(const MapSetting& map, std::size_t points, std::size_t columns,
                          const config::TrainingSettings& settings);

/// How many maps of this kind a device wants at once to be busy: a dealer's smallest useful batch.
[[nodiscard]] std::size_t useful_batch(const MapSetting& map, bool gpu, unsigned compute_units);

/// Bytes on the device for `maps` trained at once over these points; for --dry-run.
[[nodiscard]] std::size_t device_bytes(std::span<const MapSetting> maps, std::size_t points, std::size_t columns,
                                       const config::TrainingSettings& settings);

/// Refuses what no device can train (78): mexican_hat in batch, exponential decay without a positive end value, an odd
/// number of rows on a hexagonal toroid. `where` goes before the message.
void check_trainable(const MapSetting& map, const config::TrainingSettings& settings, const std::string& where);

}  // namespace atoll::som
