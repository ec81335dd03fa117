// What a map costs, before it is trained: for dealing, estimates and --dry-run.
#include <algorithm>

#include "som/trainer.hpp"

namespace atl::som {
namespace {

// A step finds the winner and draws the next point whatever the size of the map: about this many neurons' worth.
constexpr double overhead_neurons = 12;
constexpr double usual_columns = 3;

}  // namespace

double cost(const MapSetting& map, std::size_t points, std::size_t columns, const config::SomTraining& training) {
  const double steps = static_cast<double>(map.epochs) * static_cast<double>(points);
  const double width = std::max(1.0, static_cast<double>(columns) / usual_columns);
  const double neurons = static_cast<double>(map.neurons());
  const double a_step = overhead_neurons + neurons * width;
  if (training.training == config::Training::batch)
    return steps * a_step + static_cast<double>(map.epochs) * neurons * neurons * (width + 1);
  // By the step, every influence is computed anew: an exp a neuron.
  return training.decay_per == config::DecayPer::step ? steps * (a_step + 4 * neurons) : steps * a_step;
}

double neuron_steps_per_second(bool gpu, unsigned compute_units, config::Precision precision) {
  const double single = gpu ? 3e9 * compute_units : 4e9 * compute_units;
  return precision == config::Precision::real32 ? single : single / 2;
}

std::size_t device_width(const MapSetting& map, bool gpu, unsigned compute_units) {
  if (!gpu) return std::max(1U, compute_units);
  // A multiprocessor holds 64 teams of 32 work-items; a team trains up to 256 neurons.
  const std::size_t teams = (static_cast<std::size_t>(map.neurons()) + 255) / 256;
  return std::max<std::size_t>(1, 32 * static_cast<std::size_t>(std::max(1U, compute_units)) / teams);
}

std::size_t device_bytes(std::span<const MapSetting> maps, std::size_t points, std::size_t columns,
                         config::Precision precision) {
  const std::size_t real = precision == config::Precision::real32 ? 4 : 8;
  std::size_t bytes = points * columns * (real + 8);  // for training, and in double for measuring
  for (const MapSetting& map : maps) {
    const auto neurons = static_cast<std::size_t>(map.neurons());
    const std::size_t table = map.rows > 1 ? std::min<std::size_t>(neurons, 256) : 2;
    bytes += neurons * (columns * (real + 16) + table * real + 96) + points * 24;
  }
  return bytes;
}

void check_trainable(const MapSetting& map, const config::SomTraining& training, const Location& where) {
  const auto refuse = [&](const std::string& message) {
    throw Error(ExitCode::bad_configuration, where.text() + ": " + message);
  };
  if (training.training == config::Training::batch && training.neighborhood == config::Neighborhood::mexican_hat)
    refuse("som.neighborhood: mexican_hat has negative influences, which batch training cannot average; use online");
  if (training.training == config::Training::batch && training.decay_per == config::DecayPer::step)
    refuse("som.decay_per: batch training has no steps; use \"epoch\"");
  const auto positive = [&](config::Decay decay, const std::optional<double>& end, double start, const char* name) {
    if (decay == config::Decay::exponential && !(end.value_or(0) > 0 && start > 0))
      refuse(fmt::format("som.{0}_end: an exponential decay from {1} to {2} needs both above 0", name, start,
                         end.value_or(0)));
  };
  positive(training.sigma_decay, training.sigma_end, map.sigma, "sigma");
  positive(training.eta_decay, training.eta_end, map.eta, "eta");
  if (map.topology == config::MapTopology::hexagonal_toroid && map.rows % 2 != 0)
    refuse(
        fmt::format("sweep.shapes: {}x{} has an odd number of rows, but a hexagonal toroid wraps onto itself only "
                    "with an even one",
                    map.rows, map.columns));
}

}  // namespace atl::som
