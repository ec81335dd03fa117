#include "som/plan.hpp"

#include <algorithm>

#include "base/counts.hpp"
#include "som/trainer.hpp"

namespace atl::som {
namespace {

std::vector<config::MapShape> shapes_of(const config::SweepSettings& sweep, config::MapTopology topology) {
  if (config::is_grid(topology)) return sweep.shapes;
  std::vector<config::MapShape> shapes;
  shapes.reserve(sweep.neurons.size());
  for (const std::int64_t n : sweep.neurons) shapes.push_back({1, n});
  return shapes;
}

void add_settings(Plan& plan, const config::SweepSettings& sweep, config::MapTopology topology,
                  const config::MapShape& shape, std::size_t first_group) {
  std::size_t group = first_group;
  for (const config::SigmaSetting& sigma : sweep.sigma)
    for (const double eta : sweep.eta)
      for (const std::int64_t epochs : sweep.epochs) {
        plan.group.push_back(group++);
        for (std::int64_t replicate = 0; replicate < sweep.replicates; ++replicate) {
          MapSetting& map = plan.maps.emplace_back();
          map.topology = topology;
          map.rows = static_cast<std::int32_t>(shape.rows);
          map.columns = static_cast<std::int32_t>(shape.columns);
          map.sigma = sigma.of(shape);
          map.eta = eta;
          map.epochs = static_cast<std::int32_t>(epochs);
          map.replicate = static_cast<std::int32_t>(replicate);
        }
      }
}

}  // namespace

Plan make_plan(const config::SweepSettings& sweep) {
  Plan plan;
  plan.replicates = static_cast<std::size_t>(sweep.replicates);
  std::size_t settings = 0;
  for (const config::MapTopology topology : sweep.topology)
    settings += (config::is_grid(topology) ? sweep.shapes.size() : sweep.neurons.size()) * sweep.sigma.size() *
                sweep.eta.size() * sweep.epochs.size();
  plan.maps.reserve(settings * plan.replicates);
  const std::size_t groups_of_topology = sweep.sigma.size() * sweep.eta.size() * sweep.epochs.size();
  for (const config::MapTopology topology : sweep.topology) {
    for (const config::MapShape& shape : shapes_of(sweep, topology))
      add_settings(plan, sweep, topology, shape, plan.groups);
    plan.groups += groups_of_topology;
  }
  return plan;
}

std::vector<double> costs_of(const Plan& plan, std::size_t points, std::size_t columns,
                             const config::SomTraining& training) {
  std::vector<double> costs;
  costs.reserve(plan.maps.size());
  for (const MapSetting& map : plan.maps) costs.push_back(cost(map, points, columns, training));
  return costs;
}

std::string describe(const Plan& plan, const config::SweepSettings& sweep) {
  std::string text = counted(plan.maps.size(), "map") + ": ";
  for (std::size_t t = 0; t < sweep.topology.size(); ++t)
    text += fmt::format("{}{}", t > 0 ? ", " : "", config::name_of(sweep.topology[t]));
  const auto [least, most] = std::minmax_element(
      plan.maps.begin(), plan.maps.end(), [](const auto& a, const auto& b) { return a.neurons() < b.neurons(); });
  if (least->neurons() == most->neurons()) {
    text += " of " + counted(least->neurons(), "neuron");
  } else {
    text += fmt::format(" of {} to {} neurons", grouped(least->neurons()), grouped(most->neurons()));
  }
  const auto list = [&](std::size_t count, const char* what) {
    if (count > 1) text += fmt::format(", {} {}", count, what);
  };
  list(sweep.sigma.size(), "values of sigma");
  list(sweep.eta.size(), "values of eta");
  list(sweep.epochs.size(), "numbers of epochs");
  list(plan.replicates, "replicates");
  return text;
}

}  // namespace atl::som
