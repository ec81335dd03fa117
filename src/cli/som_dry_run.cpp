#include "cli/som_dry_run.hpp"

#include <algorithm>
#include <numeric>

#include "base/counts.hpp"
#include "cli/progress.hpp"
#include "device/human_bytes.hpp"
#include "som/trainer.hpp"
#include "store/som_file.hpp"

namespace atl::cli {
namespace {

void print_configuration(const std::vector<config::EffectiveValue>& values) {
  std::size_t widest = 0;
  for (const config::EffectiveValue& value : values) widest = std::max(widest, value.key.size() + value.value.size());
  widest = std::min<std::size_t>(widest, 60);
  for (const config::EffectiveValue& value : values) {
    const std::string line = fmt::format("{} = {}", value.key, value.value);
    fmt::print("  {:<{}}   # {}\n", line, widest + 3, value.origin);
  }
}

/// The largest maps that one batch would hold: what the device must have room for at once.
std::size_t memory_on_device(const som::Sweep& sweep, const device::DeviceInfo& info) {
  const som::Plan& plan = sweep.plan;
  const auto largest = *std::max_element(plan.maps.begin(), plan.maps.end(),
                                         [](const auto& a, const auto& b) { return a.neurons() < b.neurons(); });
  const std::size_t at_once = std::min(plan.maps.size(), som::device_width(largest, info.gpu, info.compute_units));
  const std::vector<som::MapSetting> maps(std::max<std::size_t>(at_once, 1), largest);
  return som::device_bytes(maps, som::points_on_device(info, sweep.inputs), sweep.inputs.data.columns(),
                           sweep.inputs.precision);
}

}  // namespace

void dry_run(const som::Sweep& sweep, const som::RunOptions& options, const RankDevice& mine,
             const cluster::Communicator& communicator) {
  const som::ScaledData& data = sweep.inputs.data;
  const std::vector<double> costs = som::costs_of(sweep.plan, data.rows, data.columns(), sweep.inputs.training);
  const double work = std::accumulate(costs.begin(), costs.end(), 0.0);
  const double my_speed =
      mine.chosen ? som::neuron_steps_per_second(mine.chosen->gpu, mine.chosen->compute_units, sweep.inputs.precision)
                  : 0;
  const std::vector<std::string> devices =
      communicator.gather_all(fmt::format("{}  {}  {}", communicator.rank(), communicator.host(),
                                          mine.chosen ? mine.chosen->name : "no device: " + mine.refusal));
  double speed = 0;
  for (const std::string& text : communicator.gather_all(fmt::format("{}", my_speed))) speed += std::stod(text);
  if (!communicator.root()) return;

  fmt::print("configuration\n");
  print_configuration(sweep.loaded.effective);
  fmt::print("devices (rank, host, device)\n");
  for (const std::string& device : devices) fmt::print("  {}\n", device);
  fmt::print("data\n  {}, {}\n", counted(data.rows, "point"), counted(data.columns(), "column"));
  for (const std::string& note : sweep.notes) fmt::print("  note: {}\n", note);
  fmt::print("plan\n  {}\n", som::describe(sweep.plan, sweep.loaded.settings.sweep));
  fmt::print("  work            {:.4g} neuron-steps\n", work);
  if (mine.chosen)
    fmt::print("  device memory   {} on rank 0\n", device::human_bytes(memory_on_device(sweep, *mine.chosen)));
  const std::string note = mine.chosen ? som::note_of_points(*mine.chosen, sweep.inputs) : "";
  if (!note.empty()) fmt::print("  note: {}\n", note);
  fmt::print("  result          {} -> {}\n", device::human_bytes(store::som_file_bytes(som::layout_of(sweep))),
             options.output);
  if (speed > 0) {
    fmt::print("  estimated time  {} on {}\n", human_seconds(work / speed), counted(communicator.size(), "rank"));
  } else {
    fmt::print("  estimated time  unknown: no rank has a device here\n");
  }
}

}  // namespace atl::cli
