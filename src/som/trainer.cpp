#include "som/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "device/human_bytes.hpp"
#include "som/batch_training.hpp"
#include "som/engine.hpp"
#include "som/measuring.hpp"
#include "som/online.hpp"

namespace atl::som {

struct Trainer::State {
  Engine engine;
};

namespace {

double squares_around(const ScaledData& data, const std::vector<double>& mean) {
  double sum = 0;
  for (std::size_t r = 0; r < data.rows; ++r)
    for (std::size_t c = 0; c < data.columns(); ++c) {
      const double d = data.values[r * data.columns() + c] - mean[c];
      if (!std::isnan(d)) sum += d * d;
    }
  return sum;
}

/// Training and measuring both hold all points on the device: said at once, in the words of the data.
void check_points_fit(const Engine& engine) {
  const device::DeviceInfo& info = engine.device.info;
  const std::size_t cells = column_stride(engine) * engine.columns();
  const std::size_t training = cells * (engine.single() ? sizeof(float) : sizeof(double));
  const std::size_t measuring = cells * (engine.measures_in_single() ? sizeof(float) : sizeof(double));
  if (std::max(training, measuring) <= info.largest_buffer && training + measuring <= info.global_memory) return;
  fail(ExitCode::no_device,
       "{}: {} points x {} columns take {} for training and {} for measuring, but it has {} and no buffer beyond {}; "
       "choose a device with more memory, or fewer columns (data.use) or points",
       info.name, engine.points(), engine.columns(), device::human_bytes(training), device::human_bytes(measuring),
       device::human_bytes(info.global_memory), device::human_bytes(info.largest_buffer));
}

/// Measures a trained group and hands its maps out.
void deliver(Engine& engine, std::span<const MapSetting> maps, const std::vector<std::size_t>& chosen,
             WeightsOfMaps&& weights, double training_seconds, const Trainer::Finished& finished) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<MapSetting> group;
  double neurons = 0;
  for (const std::size_t i : chosen) {
    group.push_back(maps[i]);
    neurons += maps[i].neurons();
  }
  std::vector<TrainedMap> trained = measure(engine, group, std::move(weights));
  const double seconds =
      training_seconds + std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    trained[k].seconds = seconds * group[k].neurons() / neurons;
    finished(chosen[k], std::move(trained[k]));
  }
}

}  // namespace

Trainer::Trainer(const device::Device& device, TrainerInputs inputs) try
    : state_(new State{Engine{device, std::move(inputs), {}, 0, {}, {}, 0, 0, {}, {}, {}, false}}) {
  Engine& engine = state_->engine;
  const ScaledData& data = engine.inputs.data;
  check_points_fit(engine);
  engine.warp_instructions = has_warp_instructions(device);
  if (engine.inputs.training.initial == config::MapInitial::pca)
    engine.components = principal_components(data);
  else
    engine.components.mean = column_means(data);
  engine.total_squares = squares_around(data, engine.components.mean);
} catch (const cl::Error& error) {
  throw device::translate(error, device);
}

Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

bool Trainer::train(std::span<const MapSetting> maps, const Finished& finished, const Stop& stop) try {
  Engine& engine = state_->engine;
  engine.stop = stop;
  engine.work_done = engine.work_planned = 0;
  engine.times = {};
  for (const MapSetting& map : maps)
    engine.work_planned += static_cast<double>(map.epochs) * static_cast<double>(engine.points()) * map.neurons();
  const auto run = [&](const std::vector<std::size_t>& chosen, const auto& train_group) {
    const auto start = std::chrono::steady_clock::now();
    WeightsOfMaps weights = train_group();
    if (weights.empty()) return false;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    deliver(engine, maps, chosen, std::move(weights), seconds, finished);
    return true;
  };
  if (engine.inputs.training.training == config::Training::batch) {
    for (const auto& group : batch_groups(engine, maps))
      if (!run(group, [&] { return train_batch(engine, group, maps); })) return false;
  } else {
    for (const OnlineGroup& group : group_maps(engine, maps))
      if (!run(group.maps, [&] { return train_online(engine, group, maps); })) return false;
  }
  return true;
} catch (const cl::Error& error) {
  throw device::translate(error, state_->engine.device);
}

double Trainer::progress() const {
  const Engine& engine = state_->engine;
  return engine.work_planned > 0 ? std::min(1.0, engine.work_done / engine.work_planned) : 0;
}

const TrainingTimes& Trainer::times() const {
  return state_->engine.times;
}

}  // namespace atl::som
