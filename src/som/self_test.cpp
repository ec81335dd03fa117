#include "som/self_test.hpp"

#include <algorithm>
#include <cmath>

#include "base/counts.hpp"
#include "som/kernel_functions.hpp"
#include "som/map_shape.hpp"
#include "som/schedule.hpp"
#include "som/streams.hpp"
#include "som/trainer.hpp"

namespace atl::som {
namespace {

constexpr std::size_t points = 60;
constexpr std::size_t columns = 3;

/// Points and start weights in [0, 1). Every other ring has all neurons on one place, where a wide bubble keeps them:
/// each of its steps is a tie beside a neighbor in the launch that has none.
TrainerInputs inputs_of(config::Training training, Variant variant, bool single, std::vector<MapSetting>& maps) {
  TrainerInputs inputs;
  inputs.training.training = training;
  inputs.training.neighborhood = config::Neighborhood::bubble;
  inputs.training.initial = config::MapInitial::file;
  inputs.precision = single ? config::Precision::real32 : config::Precision::real64;
  inputs.variant = variant;
  inputs.data.rows = points;
  inputs.data.names = {"x", "y", "z"};
  inputs.data.offset.assign(columns, 0.0);
  inputs.data.scale.assign(columns, 1.0);
  inputs.data.values = uniform_numbers(inputs.seed, 0, points * columns);
  const auto add = [&](MapSetting map, bool tied) {
    const auto neurons = static_cast<std::size_t>(map.neurons());
    Codebook book{map.neurons(), std::vector<double>(neurons * columns, 0.5)};
    if (!tied) book.values = uniform_numbers(inputs.seed, neurons, neurons * columns);
    map.epochs = single ? 1 : 3;  // in single, rounding has no time to choose another winner
    map.codebook = static_cast<std::int32_t>(inputs.codebooks.size());
    inputs.codebooks.push_back(std::move(book));
    maps.push_back(map);
  };
  for (std::int32_t n = 2; n <= 32; ++n)
    add({config::MapTopology::ring, 1, n, n % 2 == 0 ? 1000.0 : 2.0, 0.5, 1, 0, -1}, n % 2 == 0);
  add({config::MapTopology::line, 1, 150, 5, 0.5, 1, 0, -1}, false);
  add({config::MapTopology::hexagonal, 5, 7, 2, 0.5, 1, 0, -1}, false);
  return inputs;
}

/// The nearest neuron of a point, and how far it is.
int nearest(const double* x, const std::vector<double>& w, double& distance) {
  int best = 0;
  double smallest = INFINITY;
  for (std::size_t j = 0; j < w.size() / columns; ++j) {
    double d = 0;
    for (std::size_t c = 0; c < columns; ++c) d = std::fma(x[c] - w[j * columns + c], x[c] - w[j * columns + c], d);
    if (d < smallest) best = static_cast<int>(j);
    smallest = std::min(smallest, d);
  }
  distance = std::sqrt(smallest);
  return best;
}

double influence(const MapSetting& map, const TrainerInputs& inputs, int winner, int j, double sigma) {
  return kernel::neighborhood(static_cast<int>(inputs.training.neighborhood),
                              map_distance2(map.topology, map.rows, map.columns, winner, j), sigma);
}

std::vector<double> online_on_host(const MapSetting& map, const TrainerInputs& inputs) {
  std::vector<double> w = inputs.codebooks[static_cast<std::size_t>(map.codebook)].values;
  double ignored = 0;
  for (std::int32_t epoch = 0; epoch < map.epochs; ++epoch) {
    const SigmaEta at = sigma_eta_at(map, inputs.training, points, epoch);
    for (const std::uint32_t p : epoch_order(inputs.seed, stream_of(map), static_cast<std::uint32_t>(epoch), points)) {
      const double* x = &inputs.data.values[p * columns];
      const int winner = nearest(x, w, ignored);
      for (int j = 0; j < map.neurons(); ++j)
        for (std::size_t c = 0; c < columns; ++c) {
          double& v = w[static_cast<std::size_t>(j) * columns + c];
          v = std::fma(at.eta * influence(map, inputs, winner, j, at.sigma), x[c] - v, v);
        }
    }
  }
  return w;
}

std::vector<double> batch_on_host(const MapSetting& map, const TrainerInputs& inputs) {
  std::vector<double> w = inputs.codebooks[static_cast<std::size_t>(map.codebook)].values;
  double ignored = 0;
  for (std::int32_t epoch = 0; epoch < map.epochs; ++epoch) {
    const SigmaEta at = sigma_eta_at(map, inputs.training, points, epoch);
    std::vector<double> above(w.size(), 0.0), below(w.size(), 0.0);
    for (std::size_t p = 0; p < points; ++p) {
      const int winner = nearest(&inputs.data.values[p * columns], w, ignored);
      for (std::size_t i = 0; i < w.size(); ++i) {
        const double h = influence(map, inputs, winner, static_cast<int>(i / columns), at.sigma);
        above[i] += h * inputs.data.values[p * columns + i % columns];
        below[i] += h;
      }
    }
    for (std::size_t i = 0; i < w.size(); ++i)
      if (below[i] > 0) w[i] += at.eta * (above[i] / below[i] - w[i]);
  }
  return w;
}

/// What is wrong with a map of the device; empty when it is right. Its measures are those of its own weights.
std::string wrong_map(const TrainedMap& map, const TrainerInputs& inputs, const std::vector<double>& expected,
                      bool single) {
  const double tolerance = single ? 1e-3 : 1e-9;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::fabs(map.weights.at(i) - expected[i]) <= tolerance))
      return fmt::format("weight {} is {:.17g}, the host has {:.17g}", i, map.weights[i], expected[i]);
  double sum = 0;
  for (std::size_t p = 0; p < points; ++p) {
    double distance = 0;
    const int neuron = nearest(&inputs.data.values[p * columns], map.weights, distance);
    if (!single && map.assignments.at(p) != neuron)
      return fmt::format("point {} goes to neuron {}, on the host to {}", p, map.assignments[p], neuron);
    sum += distance;
  }
  const double error = sum / static_cast<double>(points);
  if (!(std::fabs(map.measures.quantization_error - error) <= tolerance))
    return fmt::format("the quantization error is {:.17g}, the host has {:.17g}", map.measures.quantization_error,
                       error);
  return "";
}

SelfTestLine line(const device::Device& device, const char* name, config::Training training, Variant variant) try {
  const bool single = !device.info.has_double;
  std::vector<MapSetting> maps;
  const TrainerInputs inputs = inputs_of(training, variant, single, maps);
  Trainer trainer(device, inputs);
  std::string fault;
  std::ignore = trainer.train(maps, [&](std::size_t i, TrainedMap&& map) {
    const auto expected =
        training == config::Training::batch ? batch_on_host(maps[i], inputs) : online_on_host(maps[i], inputs);
    const std::string wrong = wrong_map(map, inputs, expected, single);
    if (fault.empty() && !wrong.empty())
      fault = fmt::format("{} of {}: {}", config::name_of(maps[i].topology), maps[i].neurons(), wrong);
  });
  const std::string what = fmt::format("{} agree with the host, {}", counted(maps.size(), "map"),
                                       single ? "single precision" : "double precision");
  return {name, fault.empty(), fault.empty() ? what : fault};
} catch (const std::exception& error) {
  return {name, false, error.what()};
}

}  // namespace

std::vector<SelfTestLine> self_test(const device::Device& device) {
  const bool gpu = device.info.gpu;
  return {line(device, gpu ? "maps, teams" : "maps, registers", config::Training::online,
               gpu ? Variant::team : Variant::registers),
          line(device, gpu ? "maps, groups" : "maps, vectors", config::Training::online,
               gpu ? Variant::group : Variant::vectors),
          line(device, "maps, batch", config::Training::batch, Variant::automatic)};
}

}  // namespace atl::som
