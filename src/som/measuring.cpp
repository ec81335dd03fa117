#include "som/measuring.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "som/device_points.hpp"
#include "som/device_structs.hpp"
#include "som/schedule.hpp"

namespace atl::som {
namespace {

constexpr std::size_t point_sums = 8;      // POINT_SUMS
constexpr std::size_t neuron_terms = 3;    // NEURON_TERMS
constexpr std::size_t most_neighbors = 6;  // MOST_NEIGHBORS of shape.cl
constexpr std::size_t measures = 11;       // of struct Measures

constexpr std::array<std::string_view, 4> assign_files = {"som/width.cl", "som/distance.cl", "som/measured_map.cl",
                                                          "som/assign.cl"};
constexpr std::array<std::string_view, 9> measure_files = {
    "som/width.cl",      "som/distance.cl",     "som/measured_map.cl", "som/schedule.cl", "som/shape.cl",
    "som/class_sums.cl", "som/class_spread.cl", "som/paths.cl",        "som/measures.cl"};

/// Of winners, and of paths.
std::size_t bytes_at_once(const Engine& engine) {
  return std::min(std::size_t{1} << 29, engine.device.info.global_memory / 4);
}

/// Work on one set of maps; Real is double unless the device lacks it.
template <typename Real>
class Measuring {
 public:
  Measuring(Engine& engine, std::span<const MapSetting> maps, std::span<const std::vector<double>> weights)
      : engine_(engine), maps_(maps), single_(sizeof(Real) == sizeof(float)) {
    describe(weights);
  }

  /// Twice over the points: where a point counts depends on all of them. One chunk keeps its winners in between.
  void run(std::span<TrainedMap> results) {
    const auto start = std::chrono::steady_clock::now();
    for (const Chunk& chunk : chunks_) {
      assign(chunk);
      sum_classes(chunk);
      mark_sources(chunk);
    }
    find_edges();
    for (const Chunk& chunk : chunks_) {
      if (chunks_.size() > 1) assign(chunk);
      sum_spread(chunk);
      find_paths(chunk);
      sum_points(chunk);
      if (chunks_.size() > 1) read_winners(chunk, results);
    }
    finish();
    engine_.device.queue.finish();
    engine_.times.measuring += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (chunks_.size() == 1) read_winners(chunks_.front(), results);
    read(results);
  }

 private:
  void read(std::span<TrainedMap> results) {
    const auto hits = download<std::int32_t>(engine_, hits_, neurons_);
    const auto values = download<Real>(engine_, results_, maps_.size() * measures);
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      TrainedMap& map = results[i];
      const auto first_hit = hits.begin() + static_cast<std::ptrdiff_t>(described_[i].neurons_at);
      map.hits.assign(first_hit, first_hit + maps_[i].neurons());
      const Real* v = values.data() + i * measures;
      map.measures = {v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10]};
    }
  }

  void read_winners(const Chunk& chunk, std::span<TrainedMap> results) {
    const std::span<const std::int32_t> nearest = download_winners();
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const auto first = nearest.begin() + static_cast<std::ptrdiff_t>(i * stride_);
      std::vector<std::int32_t>& all = results[i].assignments;
      if (chunk.is_first) all.reserve(n_);
      all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(chunk.count));
    }
  }

  /// Winners of many maps are the most that comes back from a device; their place in memory is used again.
  [[nodiscard]] std::span<const std::int32_t> download_winners() {
    const std::size_t count = maps_.size() * stride_;
    if (engine_.winners.size() < count) engine_.winners.resize(count);
    engine_.device.queue.enqueueReadBuffer(nearest_, CL_TRUE, 0, count * sizeof(std::int32_t), engine_.winners.data());
    return std::span(engine_.winners).first(count);
  }

  void describe(std::span<const std::vector<double>> weights) {
    std::vector<Real> all;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const MapSetting& map = maps_[i];
      DeviceMeasuredMap<Real> d{};
      d.weights = all.size();
      d.neurons_at = neurons_;
      d.sigma = static_cast<Real>(last_sigma_eta(map, engine_.inputs.training, n_).sigma);
      d.neurons = map.neurons();
      d.rows = map.rows;
      d.columns = map.columns;
      d.topology = static_cast<std::int32_t>(map.topology);
      if (config::is_grid(map.topology)) grid_neurons_ += static_cast<std::size_t>(map.neurons());
      largest_ = std::max(largest_, static_cast<std::size_t>(map.neurons()));
      neurons_ += static_cast<std::size_t>(map.neurons());
      all.insert(all.end(), weights[i].begin(), weights[i].end());
      described_.push_back(d);
    }
    weights_ = upload(engine_, all);
    cells_ = all.size();
    sources_ = std::clamp<std::size_t>(
        bytes_at_once(engine_) / (sizeof(Real) * std::max<std::size_t>(grid_neurons_, 1)), 1, largest_);
    std::size_t paths = 0;
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      described_[i].paths_at = paths;
      if (config::is_grid(maps_[i].topology)) paths += sources_ * static_cast<std::size_t>(maps_[i].neurons());
    }
    described_buffer_ = upload(engine_, described_);
    paths_ = buffer<Real>(paths);
    nearest_ = buffer<std::int32_t>(maps_.size() * stride_);
    second_ = buffer<std::int32_t>(maps_.size() * stride_);
    hits_ = buffer<std::int32_t>(neurons_);
    counts_ = buffer<std::int32_t>(engine_.inputs.data.missing ? cells_ : 1);
    means_ = buffer<Real>(cells_);
    squares_ = buffer<Real>(neurons_);
    spread_ = buffer<Real>(neurons_);
    results_ = buffer<Real>(maps_.size() * measures);
    lost_ = buffer<Real>(single_ ? cells_ : 1);
    needed_ = grid_neurons_ > 0 ? upload(engine_, std::vector<std::int32_t>(neurons_, 0)) : cl::Buffer();
    point_paths_ = buffer<Real>(grid_neurons_ > 0 ? maps_.size() * stride_ : 1);
    block_sums_ = buffer<Real>(maps_.size() * blocks_of(n_) * point_sums);
  }

  template <typename T>
  [[nodiscard]] cl::Buffer buffer(std::size_t count) const {
    return device::allocate(engine_.device, count * sizeof(T));
  }

  [[nodiscard]] cl::Kernel measure_kernel(const char* name) {
    return kernel(engine_, name, measure_files, single_, data_options(engine_) + " -DWIDTH=1");
  }

  void assign(const Chunk& chunk) {
    const std::size_t width = engine_.gpu() ? 1 : 64 / sizeof(Real);
    const std::size_t vectors = engine_.gpu() ? 1 : points_a_block / width;
    cl::Kernel k = kernel(engine_, "assign", assign_files, single_,
                          fmt::format("{} -DWIDTH={} -DVECTORS_AN_ITEM={}", data_options(engine_), width, vectors));
    points_ = points_by_column(engine_, chunk, single_);
    set_arguments(k, described_buffer_, points_, static_cast<cl_uint>(stride_), weights_, nearest_, second_);
    launch(engine_, k, stride_ / (width * vectors), maps_.size());
  }

  void sum_classes(const Chunk& chunk) {
    cl::Kernel k = measure_kernel(engine_.gpu() ? "class_sums_scan" : "class_sums_scatter");
    set_arguments(k, described_buffer_, points_, static_cast<cl_uint>(stride_), static_cast<cl_uint>(chunk.count),
                  nearest_, means_, lost_, hits_, counts_, static_cast<cl_int>(chunk.is_first));
    if (engine_.gpu())
      launch(engine_, k, largest_, maps_.size(), engine_.columns());
    else
      launch(engine_, k, maps_.size());
  }

  void sum_spread(const Chunk& chunk) {
    cl::Kernel k = measure_kernel(engine_.gpu() ? "class_spread_scan" : "class_spread_scatter");
    set_arguments(k, described_buffer_, points_, static_cast<cl_uint>(stride_), static_cast<cl_uint>(chunk.count),
                  nearest_, means_, hits_, counts_, squares_, spread_, static_cast<cl_int>(chunk.is_first),
                  static_cast<cl_int>(chunk.is_last));
    if (engine_.gpu())
      launch(engine_, k, largest_, maps_.size());
    else
      launch(engine_, k, maps_.size());
  }

  void mark_sources(const Chunk& chunk) {
    if (grid_neurons_ == 0) return;
    cl::Kernel k = measure_kernel("mark_sources");
    set_arguments(k, described_buffer_, static_cast<cl_uint>(stride_), static_cast<cl_uint>(chunk.count), nearest_,
                  second_, needed_);
    launch(engine_, k, chunk.count, maps_.size());
  }

  void find_edges() {
    lengths_ = buffer<Real>(neurons_ * most_neighbors);
    along_ = buffer<Real>(neurons_ + maps_.size());
    cl::Kernel edges = measure_kernel("edges");
    set_arguments(edges, described_buffer_, weights_, lengths_);
    launch(engine_, edges, largest_, maps_.size());
    cl::Kernel positions = measure_kernel("positions");
    set_arguments(positions, described_buffer_, lengths_, along_);
    launch(engine_, positions, maps_.size(), 1, 1, 1);
  }

  /// Where the paths from all neurons have no room at once, every chunk needs those from each part of them again.
  void find_paths(const Chunk& chunk) {
    if (grid_neurons_ == 0) return;
    cl::Kernel walk = measure_kernel("grid_paths");
    cl::Kernel pick = measure_kernel("pick_paths");
    for (std::size_t first = 0; first < largest_; first += sources_) {
      if (chunk.is_first || sources_ < largest_) {
        set_arguments(walk, described_buffer_, lengths_, needed_, static_cast<cl_int>(first),
                      static_cast<cl_int>(sources_), paths_);
        launch(engine_, walk, sources_, maps_.size());
      }
      set_arguments(pick, described_buffer_, static_cast<cl_uint>(stride_), static_cast<cl_uint>(chunk.count), nearest_,
                    second_, static_cast<cl_int>(first), static_cast<cl_int>(sources_), paths_, point_paths_);
      launch(engine_, pick, chunk.count, maps_.size());
    }
  }

  void sum_points(const Chunk& chunk) {
    const std::size_t blocks = blocks_of(chunk.count);
    cl::Kernel k = measure_kernel("point_sums");
    set_arguments(k, described_buffer_, points_, static_cast<cl_uint>(stride_), static_cast<cl_uint>(chunk.count),
                  weights_, nearest_, second_, hits_, along_, point_paths_, static_cast<cl_uint>(blocks),
                  static_cast<cl_uint>(chunk.first / points_a_block), static_cast<cl_uint>(blocks_of(n_)), block_sums_);
    launch(engine_, k, blocks, maps_.size());
  }

  void finish() {
    const cl::Buffer terms = buffer<Real>(neurons_ * neuron_terms);
    std::vector<Real> mean;
    for (const double v : engine_.components.mean) mean.push_back(static_cast<Real>(v));
    const cl::Buffer center = upload(engine_, mean);
    cl::Kernel over_neurons = measure_kernel("neuron_terms");
    set_arguments(over_neurons, described_buffer_, static_cast<cl_int>(engine_.inputs.training.neighborhood), weights_,
                  means_, center, hits_, counts_, squares_, spread_, terms);
    launch(engine_, over_neurons, largest_, maps_.size());
    cl::Kernel finish = measure_kernel("finish");
    set_arguments(finish, described_buffer_, static_cast<cl_uint>(blocks_of(n_)), block_sums_, hits_, squares_, terms,
                  static_cast<Real>(engine_.total_squares), results_);
    launch(engine_, finish, maps_.size(), 1, 1, 1);
  }

  [[nodiscard]] static std::size_t blocks_of(std::size_t points) {
    return (points + points_a_block - 1) / points_a_block;
  }

  Engine& engine_;
  std::span<const MapSetting> maps_;
  bool single_;
  std::size_t n_ = engine_.points();
  std::vector<Chunk> chunks_ = chunks_of(engine_);
  std::size_t stride_ = column_stride(engine_);
  std::size_t neurons_ = 0, grid_neurons_ = 0, largest_ = 1, cells_ = 0, sources_ = 1;
  std::vector<DeviceMeasuredMap<Real>> described_;
  cl::Buffer points_;  // the chunk at hand
  cl::Buffer described_buffer_, weights_, nearest_, second_, hits_, counts_, means_, lost_, squares_, spread_, lengths_,
      along_, needed_, paths_, point_paths_, block_sums_, results_;
};

}  // namespace

std::size_t maps_measured_at_once(const Engine& engine) {
  // The memory of a call is that of the next one; a GPU wants more at once.
  constexpr std::size_t bytes_on_cpu = std::size_t{16} << 20, bytes_on_gpu = std::size_t{64} << 20;
  constexpr std::size_t maps_a_unit = 16;
  const std::size_t bytes_a_map = column_stride(engine) * winner_bytes;
  const std::size_t wanted = std::max((engine.gpu() ? bytes_on_gpu : bytes_on_cpu) / bytes_a_map,
                                      maps_a_unit * engine.device.info.compute_units);
  const std::size_t most = std::min(bytes_at_once(engine) / bytes_a_map, most_maps_a_launch);
  return std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(most, 1));
}

std::vector<TrainedMap> measure(Engine& engine, std::span<const MapSetting> maps,
                                std::span<std::vector<double>> weights) {
  std::vector<TrainedMap> results(maps.size());
  if (engine.measures_in_single())
    Measuring<float>(engine, maps, weights).run(results);
  else
    Measuring<double>(engine, maps, weights).run(results);
  for (std::size_t i = 0; i < maps.size(); ++i) results[i].weights = std::move(weights[i]);
  return results;
}

}  // namespace atl::som
