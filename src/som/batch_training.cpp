#include "som/batch_training.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "som/device_points.hpp"
#include "som/device_structs.hpp"
#include "som/schedule.hpp"

namespace atl::som {
namespace {

constexpr double asked_every = 0.1;  // seconds between looks at the stop flag

constexpr std::array<std::string_view, 4> assign_files = {"som/width.cl", "som/distance.cl", "som/measured_map.cl",
                                                          "som/assign.cl"};
constexpr std::array<std::string_view, 5> smooth_files = {"som/measured_map.cl", "som/schedule.cl", "som/shape.cl",
                                                          "som/class_sums.cl", "som/smooth.cl"};

template <typename Real>
class BatchRun {
 public:
  BatchRun(Engine& engine, const std::vector<std::size_t>& chosen, std::span<const MapSetting> maps)
      : engine_(engine), chunks_(chunks_of(engine)), stride_(column_stride(engine)) {
    std::vector<Real> weights;
    for (const std::size_t i : chosen) {
      maps_.push_back(maps[i]);
      DeviceMeasuredMap<Real> d{};
      d.weights = weights.size();
      d.neurons_at = neurons_;
      d.neurons = maps[i].neurons();
      d.rows = maps[i].rows;
      d.columns = maps[i].columns;
      d.topology = static_cast<std::int32_t>(maps[i].topology);
      described_.push_back(d);
      neurons_ += static_cast<std::size_t>(d.neurons);
      largest_ = std::max(largest_, static_cast<std::size_t>(d.neurons));
      for (const double w : initial_weights(maps[i], engine.inputs, engine.components))
        weights.push_back(static_cast<Real>(w));
    }
    cells_ = weights.size();
    weights_ = upload(engine_, weights);
    nearest_ = device::allocate(engine_.device, maps_.size() * stride_ * sizeof(std::int32_t));
    second_ = device::allocate(engine_.device, maps_.size() * stride_ * sizeof(std::int32_t));
    sums_ = device::allocate(engine_.device, cells_ * sizeof(Real));
    lost_ = device::allocate(engine_.device, cells_ * sizeof(Real));
    hits_ = device::allocate(engine_.device, neurons_ * sizeof(std::int32_t));
    counts_ = device::allocate(engine_.device, cells_ * sizeof(std::int32_t));
    build();
  }

  /// False when stopped.
  bool train() {
    const int epochs = maps_.front().epochs;
    auto asked = std::chrono::steady_clock::now() - std::chrono::hours(1);
    double an_epoch = 0;
    for (int epoch = 0; epoch < epochs; ++epoch) {
      const auto now = std::chrono::steady_clock::now();
      if (engine_.stop && std::chrono::duration<double>(now - asked).count() > asked_every) {
        asked = now;
        if (engine_.stop()) return false;
      }
      const cl::Event done = train_epoch(epoch);
      engine_.device.queue.flush();
      device::wait(engine_.device, done, an_epoch);
      an_epoch = std::chrono::duration<double>(std::chrono::steady_clock::now() - now).count();
      engine_.work_done += static_cast<double>(engine_.points()) * static_cast<double>(neurons_);
    }
    return true;
  }

  [[nodiscard]] WeightsOfMaps read() {
    const auto all = download<Real>(engine_, weights_, cells_);
    WeightsOfMaps result;
    for (const DeviceMeasuredMap<Real>& d : described_) {
      const auto first = all.begin() + static_cast<std::ptrdiff_t>(d.weights);
      const auto count = static_cast<std::ptrdiff_t>(d.neurons) * static_cast<std::ptrdiff_t>(engine_.columns());
      result.emplace_back(first, first + count);
    }
    return result;
  }

 private:
  void build() {
    const bool single = engine_.single();
    width_ = engine_.gpu() ? 1 : 64 / sizeof(Real);
    vectors_ = engine_.gpu() ? 1 : points_a_block / width_;
    const std::string options = data_options(engine_);
    assign_ = kernel(engine_, "assign", assign_files, single,
                     fmt::format("{} -DWIDTH={} -DVECTORS_AN_ITEM={}", options, width_, vectors_));
    sum_ = kernel(engine_, engine_.gpu() ? "class_sums_scan" : "class_sums_scatter", smooth_files, single, options);
    smooth_ = kernel(engine_, "smooth", smooth_files, single, options);
  }

  cl::Event train_epoch(int epoch) {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const SigmaEta at = sigma_eta_at(maps_[i], engine_.inputs.training, engine_.points(), epoch);
      described_[i].sigma = static_cast<Real>(at.sigma);
      described_[i].eta = static_cast<Real>(at.eta);
    }
    described_buffer_ = upload(engine_, described_);
    for (const Chunk& chunk : chunks_) sum_chunk(chunk);
    set_arguments(smooth_, described_buffer_, static_cast<cl_int>(engine_.inputs.training.neighborhood), sums_, hits_,
                  counts_, weights_);
    return launch(engine_, smooth_, largest_, maps_.size());
  }

  /// Adds the points of a chunk to the sums of their winners.
  void sum_chunk(const Chunk& chunk) {
    const cl::Buffer& points = points_by_column(engine_, chunk, engine_.single());
    const auto stride = static_cast<cl_uint>(stride_);
    set_arguments(assign_, described_buffer_, points, stride, weights_, nearest_, second_);
    launch(engine_, assign_, stride_ / (width_ * vectors_), maps_.size());
    set_arguments(sum_, described_buffer_, points, stride, static_cast<cl_uint>(chunk.count), nearest_, sums_, lost_,
                  hits_, counts_, static_cast<cl_int>(chunk.is_first));
    if (engine_.gpu())
      launch(engine_, sum_, largest_, maps_.size(), engine_.columns());
    else
      launch(engine_, sum_, maps_.size());
  }

  Engine& engine_;
  std::vector<Chunk> chunks_;
  std::size_t stride_;
  std::size_t neurons_ = 0, largest_ = 1, cells_ = 0, width_ = 1, vectors_ = 1;
  std::vector<MapSetting> maps_;
  std::vector<DeviceMeasuredMap<Real>> described_;
  cl::Buffer described_buffer_, weights_, nearest_, second_, sums_, lost_, hits_, counts_;
  cl::Kernel assign_, sum_, smooth_;
};

template <typename Real>
WeightsOfMaps train_as(Engine& engine, const std::vector<std::size_t>& chosen, std::span<const MapSetting> maps) {
  BatchRun<Real> run(engine, chosen, maps);
  if (!run.train()) return {};
  return run.read();
}

}  // namespace

std::vector<std::vector<std::size_t>> batch_groups(const Engine& engine, std::span<const MapSetting> maps) {
  const std::size_t bytes_at_once = std::min(std::size_t{1} << 28, engine.device.info.global_memory / 4);  // of winners
  const std::size_t at_once =
      std::clamp<std::size_t>(bytes_at_once / (column_stride(engine) * 8), 1, most_maps_a_launch);
  std::map<std::int32_t, std::vector<std::size_t>> by_epochs;
  for (std::size_t i = 0; i < maps.size(); ++i) by_epochs[maps[i].epochs].push_back(i);
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [epochs, chosen] : by_epochs) {
    std::ranges::stable_sort(chosen, std::greater{}, [&](std::size_t i) { return maps[i].neurons(); });
    for (std::size_t first = 0; first < chosen.size(); first += at_once) {
      const std::size_t end = std::min(first + at_once, chosen.size());
      groups.emplace_back(chosen.begin() + static_cast<std::ptrdiff_t>(first),
                          chosen.begin() + static_cast<std::ptrdiff_t>(end));
    }
  }
  return groups;
}

WeightsOfMaps train_batch(Engine& engine, const std::vector<std::size_t>& chosen, std::span<const MapSetting> maps) {
  return engine.single() ? train_as<float>(engine, chosen, maps) : train_as<double>(engine, chosen, maps);
}

}  // namespace atl::som
