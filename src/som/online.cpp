#include "som/online.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <tuple>

#include "som/device_structs.hpp"
#include "som/map_shape.hpp"
#include "som/streams.hpp"

namespace atl::som {
namespace {

constexpr double slice_seconds = 0.3;

constexpr std::array<std::string_view, 8> register_files = {
    "common/philox.cl", "som/schedule.cl", "som/order.cl",       "som/task.cl",
    "som/lanes.cl",     "som/distance.cl", "som/point_order.cl", "som/train_registers.cl"};
constexpr std::array<std::string_view, 8> vector_files = {
    "common/philox.cl", "som/schedule.cl", "som/order.cl",       "som/task.cl",
    "som/lanes.cl",     "som/distance.cl", "som/point_order.cl", "som/train_vectors.cl"};

constexpr std::array<std::string_view, 8> team_files = {"common/philox.cl", "som/schedule.cl",  "som/order.cl",
                                                        "som/task.cl",      "som/width.cl",     "som/distance.cl",
                                                        "som/team.cl",      "som/train_team.cl"};
constexpr std::array<std::string_view, 8> group_files = {"common/philox.cl", "som/schedule.cl",   "som/order.cl",
                                                         "som/task.cl",      "som/width.cl",      "som/distance.cl",
                                                         "som/team.cl",      "som/train_group.cl"};

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
    for (const std::size_t i : group.maps) add_map(maps[i]);
    // A work-item or work-group for several maps is filled up with copies that nobody reads.
    while (tasks_.size() % static_cast<std::size_t>(group.side_by_side) != 0) add_map(maps[group.maps.back()]);
    tasks_buffer_ = upload(engine_, tasks_);
    starts_buffer_ = upload(engine_, starts_);
    distances_buffer_ = upload(engine_, distances_);
    codes_buffer_ = upload(engine_, codes_);
    weights_buffer_ = upload(engine_, weights_);
    tables_buffer_ = upload(engine_, std::vector<Real>(table_cells_, Real{0}));
    orders_buffer_ = engine_.inputs.training.order == config::SampleOrder::file
                         ? upload(engine_, engine_.inputs.orders)
                         : upload(engine_, std::vector<std::int32_t>(1, 0));
    kernel_ = build();
    engine_.times.kernels += (engine_.times.kernels.empty() ? "" : ", ") + described();
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
      const std::uint64_t steps = std::min({static_cast<std::uint64_t>(wanted), total - done, std::uint64_t{1} << 30});
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

  /// The kernel and its size, for logs: "registers 4x2", "team 32x8 x16 ptx".
  [[nodiscard]] std::string described() const {
    switch (group_.variant) {
      case Variant::registers:
        return fmt::format("registers {}x{}", group_.blocks, group_.side_by_side);
      case Variant::team:
        return fmt::format("team {}x{} x{}{}{}", group_.team, group_.neurons_each, group_.side_by_side,
                           engine_.warp_instructions ? " ptx" : "", cached_ > 0 ? " cached" : "");
      case Variant::group:
        return fmt::format("group {}/{}{}", group_.team, group_.span, engine_.warp_instructions ? " ptx" : "");
      default:
        return "vectors";
    }
  }

  [[nodiscard]] cl::Kernel build() {
    const std::string common = data_options(engine_);
    if (group_.variant == Variant::registers)
      return kernel(engine_, "train_registers", register_files, engine_.single(),
                    fmt::format("{} -DBLOCKS={} -DMAPS={}", common, group_.blocks, group_.side_by_side));
    const std::string per_step = engine_.inputs.training.decay_per == config::DecayPer::step ? " -DPER_STEP" : "";
    if (group_.variant == Variant::vectors)
      return kernel(engine_, "train_vectors", vector_files, engine_.single(),
                    fmt::format("{} -DUNROLLED_COLUMNS={}{}{}", common, engine_.columns() <= 16 ? engine_.columns() : 1,
                                group_.expand ? " -DEXPAND" : "", per_step));
    if (group_.variant == Variant::group)
      return gpu_kernel("train_group", group_files, [&] {
        return fmt::format("{} -DWIDTH=1 -DTEAM={} -DSPAN={}{}", common, group_.team, group_.span, per_step);
      });
    return gpu_kernel("train_team", team_files, [&] {
      plan_local_memory();
      return fmt::format("{} -DWIDTH=1 -DTEAM={} -DEACH={} -DTEAMS={}{}{}{}{}", common, group_.team,
                         group_.neurons_each, group_.side_by_side, group_.grid ? " -DGRID" : "",
                         cached_ > 0 ? " -DCACHED" : "", local_table_ > 0 ? " -DLOCAL_TABLE" : "", per_step);
    });
  }

  /// With the warp instructions of NVIDIA, unless its compiler refuses them in both spellings.
  template <typename Options>
  cl::Kernel gpu_kernel(const char* name, std::span<const std::string_view> files, const Options& options) {
    for (const char* keyword : {"__asm__", "asm"}) {
      if (!engine_.warp_instructions) break;
      try {
        return kernel(engine_, name, files, engine_.single(), options() + " -DATOLL_PTX -DATOLL_ASM=" + keyword);
      } catch (const Error&) {
        continue;
      }
    }
    engine_.warp_instructions = false;
    return kernel(engine_, name, files, engine_.single(), options());
  }

  /// Tables first, then the points, as far as local memory goes beside what train_team.cl declares itself.
  void plan_local_memory() {
    constexpr std::size_t shuffle_bytes = 48;
    constexpr std::size_t position_bytes = 4;
    constexpr std::size_t alignment_bytes = 256;  // at most, all arrays together
    const std::size_t candidate_bytes = engine_.single() ? 12 : 16;
    const auto team = static_cast<std::size_t>(group_.team);
    const auto teams = static_cast<std::size_t>(group_.side_by_side);
    const std::size_t slots = !engine_.warp_instructions ? team : team <= 32 ? 1 : team / 16;
    const std::size_t fixed =
        teams * (slots * candidate_bytes + shuffle_bytes + team * position_bytes) + alignment_bytes;
    const std::size_t whole = engine_.device.info.local_memory;
    const std::size_t tables = longest_table_ * teams * sizeof(Real);
    const std::size_t stride = engine_.columns() == 3 ? 4 : engine_.columns();
    const std::size_t points = engine_.points() * stride * sizeof(Real);
    local_table_ = fixed + tables <= whole ? longest_table_ : 0;
    cached_ = fixed + (local_table_ > 0 ? tables : 0) + points <= whole ? points : 0;
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
    set_arguments(kernel_, tasks_buffer_, starts_buffer_, sweep(), points_by_row(engine_), orders_buffer_,
                  distances_buffer_, codes_buffer_, tables_buffer_, weights_buffer_, static_cast<cl_ulong>(first),
                  static_cast<cl_uint>(steps));
    if (group_.variant == Variant::team) {
      kernel_.setArg(11, cl::Local(std::max(cached_, sizeof(Real) * 4)));
      kernel_.setArg(12, cl::Local(std::max<std::size_t>(local_table_ * group_.side_by_side, 1) * sizeof(Real)));
      kernel_.setArg(13, static_cast<cl_uint>(local_table_));
    }
    const std::size_t groups = tasks_.size() / static_cast<std::size_t>(group_.side_by_side);
    const std::size_t items = on_team() ? static_cast<std::size_t>(group_.team) * group_.side_by_side : 1;
    cl::Event done;
    engine_.device.queue.enqueueNDRangeKernel(kernel_, cl::NullRange, cl::NDRange(groups * items), cl::NDRange(items),
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
  std::size_t cached_ = 0;       // team: bytes of points in local memory
  std::size_t local_table_ = 0;  // team: numbers of a map's table in local memory
  cl::Buffer tasks_buffer_, starts_buffer_, distances_buffer_, codes_buffer_, weights_buffer_, tables_buffer_,
      orders_buffer_;
  cl::Kernel kernel_;
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
