#include "som/online.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <tuple>

#include "som/device_points.hpp"
#include "som/device_structs.hpp"
#include "som/map_shape.hpp"
#include "som/online_kernels.hpp"
#include "som/point_stream.hpp"
#include "som/streams.hpp"

namespace atl::som {
namespace {

constexpr double slice_seconds = 0.3;

/// How a kernel family lays out the weights of a map: cell (neuron, column) of `cells` numbers.
struct Layout {
  int lanes = 0;  // 0: a column after the other, `padded` numbers each
  std::size_t columns = 0, padded = 0;

  [[nodiscard]] std::size_t cells() const { return padded * columns; }
  [[nodiscard]] std::size_t at(std::size_t neuron, std::size_t column) const {
    if (lanes == 0) return column * padded + neuron;
    const auto wide = static_cast<std::size_t>(lanes);
    return (neuron / wide * columns + column) * wide + neuron % wide;
  }
};

std::size_t round_up(std::size_t value, std::size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Everything a launch needs, in the working precision.
template <typename Real>
class OnlineRun {
 public:
  OnlineRun(Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps)
      : engine_(engine), group_(group), maps_(maps) {
    for (const std::size_t i : group.maps) {
      add_map(maps[i]);
      engine.look();
    }
    if (!engine.points_stay) stream_points();
    // A work-item or work-group for several maps is filled up with copies that nobody reads.
    while (tasks_.size() % static_cast<std::size_t>(group.side_by_side) != 0) {
      const std::uint64_t stream = tasks_.back().stream;
      add_map(maps[group.maps.back()]);
      tasks_.back().stream = stream;
    }
    tasks_buffer_ = upload(engine_, tasks_);
    starts_buffer_ = upload(engine_, starts_);
    distances_buffer_ = upload(engine_, distances_);
    codes_buffer_ = upload(engine_, codes_);
    weights_buffer_ = upload(engine_, weights_);
    tables_buffer_ = upload(engine_, std::vector<Real>(table_cells_, Real{0}));
    orders_buffer_ = engine_.inputs.training.order == config::SampleOrder::file && !stream_
                         ? upload(engine_, engine_.inputs.orders)
                         : upload(engine_, std::vector<std::int32_t>(1, 0));
    kernel_ = online_kernel(engine_, group_, longest_table_, stream_.has_value());
    engine_.times.kernels += (engine_.times.kernels.empty() ? "" : ", ") + describe(engine_, group_, kernel_);
  }

  /// False when stopped.
  bool train() {
    const std::uint64_t total =
        static_cast<std::uint64_t>(maps_[group_.maps.front()].epochs) * static_cast<std::uint64_t>(engine_.points());
    double a_step = seconds_a_step(engine_, group_, maps_);
    double a_slice = slice_seconds / 3;  // the first one checks the estimate
    for (std::uint64_t done = 0; done < total;) {
      if (engine_.stop && engine_.stop()) return false;
      const double wanted = std::clamp(a_slice / a_step, 1.0, 1e9);
      const std::uint64_t most = stream_ ? stream_->most_steps() : std::uint64_t{1} << 30;
      const std::uint64_t steps = std::min({static_cast<std::uint64_t>(wanted), total - done, most});
      const auto start = std::chrono::steady_clock::now();
      launch_steps(done, static_cast<std::uint32_t>(steps), a_step * static_cast<double>(steps));
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (steps > 100) a_step = std::max(took / static_cast<double>(steps), 1e-12);
      a_slice = slice_seconds;
      done += steps;
      count_work(static_cast<double>(steps));
    }
    return true;
  }

  [[nodiscard]] WeightsOfMaps read() {
    const auto all = download<Real>(engine_, weights_buffer_, weights_.size());
    WeightsOfMaps result;
    for (std::size_t t = 0; t < group_.maps.size(); ++t) {
      const Layout layout = layout_of(maps_[group_.maps[t]]);
      auto& w = result.emplace_back(static_cast<std::size_t>(tasks_[t].neurons) * engine_.columns());
      for (std::size_t j = 0; j < static_cast<std::size_t>(tasks_[t].neurons); ++j)
        for (std::size_t c = 0; c < engine_.columns(); ++c)
          w[j * engine_.columns() + c] = static_cast<double>(all[tasks_[t].weights + layout.at(j, c)]);
      engine_.look();
    }
    return result;
  }

 private:
  struct Shape {
    std::uint64_t distances = 0, codes = 0;
    std::int32_t length = 0, origin = 0, stride = 0;
  };

  [[nodiscard]] Layout layout_of(const MapSetting& map) const {
    if (group_.variant == Variant::team)
      return {0, engine_.columns(), static_cast<std::size_t>(group_.team) * group_.neurons_each};
    if (group_.variant == Variant::group)
      return {0, engine_.columns(), round_up(static_cast<std::size_t>(map.neurons()), group_.span)};
    const int wide = lanes(engine_);
    const std::size_t blocks = group_.blocks > 0 ? static_cast<std::size_t>(group_.blocks)
                                                 : round_up(static_cast<std::size_t>(map.neurons()), wide) / wide;
    return {wide, engine_.columns(), blocks * wide};
  }

  [[nodiscard]] bool on_team() const { return group_.team > 0; }
  [[nodiscard]] bool windowed() const { return group_.expand || on_team(); }

  /// The distance tables of a shape, shared by the maps that have it.
  const Shape& shape_of(const MapSetting& map) {
    const auto key = std::make_tuple(map.topology, map.rows, map.columns);
    const auto found = shapes_.find(key);
    if (found != shapes_.end()) return found->second;
    Shape shape;
    shape.distances = distances_.size();
    shape.codes = codes_.size();
    std::vector<double> values;
    // Vectors and members beyond the last neuron read a row to its padded end; on grids, members look codes up.
    const int spare =
        on_team() && (group_.variant == Variant::group || group_.grid) ? 1 : static_cast<int>(layout_of(map).padded);
    if (windowed()) {
      DistanceWindow window = distance_window(map.topology, map.rows, map.columns, spare);
      codes_.insert(codes_.end(), window.codes.begin(), window.codes.end());
      codes_.insert(codes_.end(), window.origins.begin(), window.origins.end());
      values = std::move(window.values);
    } else {
      DistanceRows rows = distance_rows(map.topology, map.rows, map.columns, spare);
      shape.origin = rows.origin;
      shape.stride = rows.stride;
      values = std::move(rows.values);
    }
    shape.length = static_cast<std::int32_t>(values.size());
    longest_table_ = std::max(longest_table_, values.size());
    for (const double v : values) distances_.push_back(static_cast<Real>(v));
    return shapes_.emplace(key, shape).first->second;
  }

  void add_map(const MapSetting& map) {
    const Shape& shape = shape_of(map);
    const Layout layout = layout_of(map);
    DeviceTask<Real> task{};
    task.stream = stream_of(map);
    task.weights = weights_.size();
    task.table = table_cells_;
    task.distances = shape.distances;
    task.codes = shape.codes;
    task.neurons = map.neurons();
    task.rows = map.rows;
    task.columns = map.columns;
    task.epochs = map.epochs;
    task.table_length = shape.length;
    task.origin = shape.origin;
    task.stride = shape.stride;
    task.reach_columns = map.rows > 1 ? map.columns : 1;
    task.wraps = map.topology == config::MapTopology::ring || config::is_toroid(map.topology) ? 1 : 0;
    const bool hexagonal =
        map.topology == config::MapTopology::hexagonal || map.topology == config::MapTopology::hexagonal_toroid;
    task.row_height2 = static_cast<Real>(hexagonal && map.rows > 1 ? 0.75 : 1);
    tasks_.push_back(task);
    starts_.push_back({static_cast<Real>(map.sigma), static_cast<Real>(map.eta)});
    table_cells_ += static_cast<std::size_t>(shape.length) + (group_.expand ? layout.padded + lanes(engine_) : 0);

    const auto initial = initial_weights(map, engine_.inputs, engine_.components);
    weights_.resize(weights_.size() + layout.cells(), Real{0});
    for (std::size_t j = 0; j < static_cast<std::size_t>(map.neurons()); ++j)
      for (std::size_t c = 0; c < engine_.columns(); ++c)
        weights_[task.weights + layout.at(j, c)] = static_cast<Real>(initial[j * engine_.columns() + c]);
  }

  /// Each map reads a window of its own, or all the only one.
  void stream_points() {
    std::vector<std::uint64_t> streams;
    for (DeviceTask<Real>& task : tasks_) {
      if (streams.empty() || order_of_its_own(engine_)) streams.push_back(task.stream);
      task.stream = streams.size() - 1;
    }
    stream_.emplace(engine_, std::move(streams));
  }

  [[nodiscard]] DeviceSweep<Real> sweep() const {
    const config::SomTraining& t = engine_.inputs.training;
    return {static_cast<Real>(t.sigma_end.value_or(0)),
            static_cast<Real>(t.eta_end.value_or(0)),
            engine_.inputs.seed,
            static_cast<std::int32_t>(t.sigma_decay),
            static_cast<std::int32_t>(t.eta_decay),
            t.decay_per == config::DecayPer::step ? 1 : 0,
            static_cast<std::int32_t>(t.neighborhood),
            static_cast<std::int32_t>(t.order == config::SampleOrder::shuffled     ? 0
                                      : t.order == config::SampleOrder::sequential ? 1
                                                                                   : 2),
            static_cast<std::uint32_t>(engine_.points())};
  }

  void launch_steps(std::uint64_t first, std::uint32_t steps, double expected) {
    const cl::Buffer& points = stream_ ? stream_->load(first, steps) : points_by_row(engine_);
    cl::Kernel& kernel = kernel_.kernel;
    set_arguments(kernel, tasks_buffer_, starts_buffer_, sweep(), points, orders_buffer_, distances_buffer_,
                  codes_buffer_, tables_buffer_, weights_buffer_, static_cast<cl_ulong>(first),
                  static_cast<cl_uint>(steps));
    if (group_.variant == Variant::team) {
      kernel.setArg(11, cl::Local(std::max(kernel_.cached, sizeof(Real) * 4)));
      kernel.setArg(12, cl::Local(std::max<std::size_t>(kernel_.local_table * group_.side_by_side, 1) * sizeof(Real)));
      kernel.setArg(13, static_cast<cl_uint>(kernel_.local_table));
    }
    const std::size_t groups = tasks_.size() / static_cast<std::size_t>(group_.side_by_side);
    const std::size_t items = on_team() ? static_cast<std::size_t>(group_.team) * group_.side_by_side : 1;
    cl::Event done;
    engine_.device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(groups * items), cl::NDRange(items),
                                              nullptr, &done);
    engine_.device.queue.flush();
    device::wait(engine_.device, done, expected);
    engine_.times.training += device::seconds(done);
  }

  void count_work(double steps) {
    for (const std::size_t i : group_.maps) engine_.work_done += steps * maps_[i].neurons();
  }

  Engine& engine_;
  const OnlineGroup& group_;
  std::span<const MapSetting> maps_;
  std::map<std::tuple<config::MapTopology, int, int>, Shape> shapes_;
  std::vector<DeviceTask<Real>> tasks_;
  std::vector<DeviceReach<Real>> starts_;
  std::vector<Real> distances_, weights_;
  std::vector<std::int32_t> codes_;
  std::size_t table_cells_ = 0, longest_table_ = 0;
  cl::Buffer tasks_buffer_, starts_buffer_, distances_buffer_, codes_buffer_, weights_buffer_, tables_buffer_,
      orders_buffer_;
  std::optional<PointStream<Real>> stream_;  // where the points do not stay on the device
  OnlineKernel kernel_;
};

template <typename Real>
WeightsOfMaps train_as(Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps) {
  OnlineRun<Real> run(engine, group, maps);
  if (!run.train()) return {};
  return run.read();
}

}  // namespace

WeightsOfMaps train_online(Engine& engine, const OnlineGroup& group, std::span<const MapSetting> maps) {
  return engine.single() ? train_as<float>(engine, group, maps) : train_as<double>(engine, group, maps);
}

}  // namespace atl::som
