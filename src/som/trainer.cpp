#include "som/trainer.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

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

/// Kernels number the points of a map in 31 bits.
void check_count(const ScaledData& data) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  if (data.rows > most) fail(ExitCode::bad_data, "{} points are too many; a map takes at most {}", data.rows, most);
}

double neurons_of(std::span<const MapSetting> maps) {
  return std::accumulate(maps.begin(), maps.end(), 0.0,
                         [](double sum, const auto& map) { return sum + map.neurons(); });
}

/// Measures a trained group and hands its maps out. Each map gets its part of the seconds by its neurons.
void deliver(Engine& engine, std::span<const MapSetting> maps, const std::vector<std::size_t>& chosen,
             WeightsOfMaps&& weights, double training_seconds, const Trainer::Finished& finished) {
  std::vector<MapSetting> group;
  group.reserve(chosen.size());
  for (const std::size_t i : chosen) group.push_back(maps[i]);
  const double training_a_neuron = training_seconds / neurons_of(group);
  const std::size_t at_once = maps_measured_at_once(engine);
  for (std::size_t first = 0; first < chosen.size(); first += at_once) {
    const std::size_t count = std::min(at_once, chosen.size() - first);
    const auto part = std::span<const MapSetting>(group).subspan(first, count);
    const auto start = std::chrono::steady_clock::now();
    std::vector<TrainedMap> trained = measure(engine, part, std::span(weights).subspan(first, count));
    const double measuring = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double a_neuron = training_a_neuron + measuring / neurons_of(part);
    for (std::size_t k = 0; k < count; ++k) {
      trained[k].seconds = a_neuron * part[k].neurons();
      finished(chosen[first + k], std::move(trained[k]));
      engine.look();
    }
  }
}

}  // namespace

Trainer::Trainer(const device::Device& device, TrainerInputs inputs) try
    : state_(new State{Engine{device, std::move(inputs), {}, 0, {}, true, 0, {}, 0, 0, {}, {}, {}, false}}) {
  Engine& engine = state_->engine;
  const ScaledData& data = engine.inputs.data;
  check_count(data);
  engine.points_stay = points_stay(device.info, engine.inputs);
  engine.points_at_once = points_on_device(device.info, engine.inputs);
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
