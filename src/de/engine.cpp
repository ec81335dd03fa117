#include "de/engine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include "de/low_discrepancy.hpp"
#include "de/program.hpp"

namespace atl::de {
namespace {

constexpr std::int64_t counters_an_island = 6;    // COUNTERS of evolve.cl
constexpr std::int64_t statistics_an_island = 4;  // STATISTICS of statistics.cl

/// A buffer of reals that the host sees in double.
class Reals {
 public:
  Reals() = default;
  Reals(const device::Device& device, std::size_t count, bool single)
      : device_(&device), single_(single), count_(count), buffer_(device::allocate(device, count * size())) {}

  void write(const std::vector<double>& values, std::size_t offset = 0) const {
    if (values.empty()) return;
    if (single_) {
      const std::vector<float> narrow(values.begin(), values.end());
      device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, offset * size(), narrow.size() * size(), narrow.data());
    } else {
      device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, offset * size(), values.size() * size(), values.data());
    }
  }

  [[nodiscard]] std::vector<double> read(std::size_t count, std::size_t offset = 0) const {
    std::vector<double> values(count);
    if (count == 0) return values;
    if (single_) {
      std::vector<float> narrow(count);
      device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, offset * size(), count * size(), narrow.data());
      values.assign(narrow.begin(), narrow.end());
    } else {
      device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, offset * size(), count * size(), values.data());
    }
    return values;
  }

  /// The whole buffer as it is, for checkpoints.
  [[nodiscard]] std::vector<std::byte> bits() const {
    std::vector<std::byte> bytes(count_ * size());
    if (!bytes.empty()) device_->queue.enqueueReadBuffer(buffer_, CL_TRUE, 0, bytes.size(), bytes.data());
    return bytes;
  }
  void write_bits(const std::vector<std::byte>& bytes) const {
    if (!bytes.empty()) device_->queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, bytes.size(), bytes.data());
  }

  void fill(double value) const { write(std::vector<double>(count_, value)); }
  [[nodiscard]] const cl::Buffer& buffer() const { return buffer_; }
  [[nodiscard]] std::size_t size() const { return single_ ? 4 : 8; }

 private:
  const device::Device* device_ = nullptr;
  bool single_ = false;
  std::size_t count_ = 0;
  cl::Buffer buffer_;
};

/// A list on the device that is sent again only when it changed; most exchanges move the same rows.
template <typename T>
class List {
 public:
  const cl::Buffer& set(const device::Device& device, const std::vector<T>& values) {
    if (buffer_() != nullptr && values == values_) return buffer_;
    if (buffer_() == nullptr || values.size() > values_.size())
      buffer_ = device::allocate(device, values.size() * sizeof(T));
    values_ = values;
    if (!values.empty()) device.queue.enqueueWriteBuffer(buffer_, CL_TRUE, 0, values.size() * sizeof(T), values.data());
    return buffer_;
  }

 private:
  std::vector<T> values_;
  cl::Buffer buffer_;
};

template <typename T>
cl::Buffer upload(const device::Device& device, const std::vector<T>& values) {
  cl::Buffer buffer = device::allocate(device, values.size() * sizeof(T));
  if (!values.empty()) device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, values.size() * sizeof(T), values.data());
  return buffer;
}

/// A real as a kernel argument.
void set_real(cl::Kernel& kernel, cl_uint index, double value, bool single) {
  if (single)
    kernel.setArg(index, static_cast<cl_float>(value));
  else
    kernel.setArg(index, static_cast<cl_double>(value));
}

std::vector<double> limits_of(const Problem& problem) {
  std::vector<double> limits;
  for (const Entry& entry : problem.entries) limits.push_back(entry.min);
  for (const Entry& entry : problem.entries) limits.push_back(entry.max);
  return limits;
}

}  // namespace

std::int64_t Arrivals::candidates() const {
  std::int64_t total = 0;
  for (const auto count : number) total += count;
  return total;
}

struct Engine::Implementation {
  const device::Device& device;
  EngineSetup setup;
  bool single;
  std::size_t free, stride, islands;
  ObjectiveSource objective;
  cl::Program program;
  cl::Kernel evolve, breed, settle, evaluate_members, evaluate_by_rows, evaluate_rows, initialize, count_first,
      statistics, emigrate, immigrate;
  Reals populations, energies, trials, trial_energies, gains, fs, crs, archives, memories, run_reals, box, x_limits,
      data;
  Reals statistic_values, emigrants, emigrant_energies;
  cl::Buffer orders, claims, bits, counters, run_numbers, best_members;
  List<std::int32_t> arrival_rows, arrival_sources, arrival_first, arrival_number;
  List<cl_long> flag_offsets;
  cl::Buffer flags;
  std::size_t flags_size = 0;
  std::size_t emigrant_rows = 0;
  Schedule schedule;
  std::int64_t generation = 0;
  double seconds_a_generation = 0, busy = 0;

  Implementation(const device::Device& device_in, const EngineSetup& setup_in)
      : device(device_in),
        setup(setup_in),
        single(setup.settings.run.precision == config::Precision::real32),
        free(std::max<std::size_t>(setup.problem.free(), 1)),
        stride(static_cast<std::size_t>(setup.device_plan.stride)),
        islands(static_cast<std::size_t>(setup.islands)),
        objective(objective_source(setup.problem, single)),
        program(device::build(device, program_pieces(setup, objective), single)),
        schedule(setup.island) {
    make_kernels();
    allocate();
  }

  [[nodiscard]] bool shape_a() const { return setup.device_plan.shape == Shape::island_a_group; }
  [[nodiscard]] bool rows_shared() const { return !shape_a() && setup.device_plan.row_group > 1 && objective.rows > 0; }
  [[nodiscard]] std::size_t group() const { return static_cast<std::size_t>(setup.device_plan.group); }

  void make_kernels() {
    if (shape_a()) {
      evolve = cl::Kernel(program, "evolve");
    } else {
      breed = cl::Kernel(program, "breed");
      settle = cl::Kernel(program, "settle");
    }
    evaluate_members = cl::Kernel(program, "evaluate_members");
    if (objective.rows > 0) {
      evaluate_by_rows = cl::Kernel(program, "evaluate_by_rows");
      evaluate_rows = cl::Kernel(program, "evaluate_rows");
    }
    initialize = cl::Kernel(program, "initialize");
    count_first = cl::Kernel(program, "count_first");
    statistics = cl::Kernel(program, "island_statistics");
    emigrate = cl::Kernel(program, "emigrate");
    immigrate = cl::Kernel(program, "immigrate");
  }

  void allocate() {
    const auto& plan = setup.device_plan;
    const std::size_t archive = static_cast<std::size_t>(setup.island.archive);
    const std::size_t memory = static_cast<std::size_t>(setup.island.memory);
    const std::size_t working = plan.island_is_local ? 0 : islands;
    const std::size_t adaptive = setup.island.adaptive ? working : 0;
    const auto reals = [&](std::size_t count) { return Reals(device, count, single); };
    populations = reals(islands * free * stride);
    energies = reals(islands * stride);
    trials = reals(working * free * stride);
    trial_energies = reals(working * stride);
    gains = reals(adaptive * stride);
    fs = reals(adaptive * stride);
    crs = reals(adaptive * stride);
    orders = device::allocate(device, adaptive * stride * 4);
    archives = reals((setup.island.adaptive ? islands : 0) * free * archive);
    claims = device::allocate(device, adaptive * archive * 4);
    bits = device::allocate(device, adaptive * ((stride + 31) / 32) * 4);
    memories = reals(islands * 2 * memory);
    best_members = device::allocate(device, islands * 4);
    statistic_values = reals(islands * statistics_an_island);
    data = reals(objective.data.size());
    data.write(objective.data);
    x_limits = reals(2 * setup.problem.dimension());
    x_limits.write(limits_of(setup.problem));
    box = reals(2 * free);
    box.write(setup.problem.lower);
    box.write(setup.problem.upper, free);
    write_run();
    write_first_memories();
  }

  void write_run() {
    const auto& algorithm = setup.settings.algorithm;
    run_numbers =
        upload(device, std::vector<cl_ulong>{setup.settings.run.seed, static_cast<cl_ulong>(setup.island.schedule),
                                             static_cast<cl_ulong>(setup.first_island)});
    run_reals = Reals(device, 4, single);
    run_reals.write({algorithm.differential_weight[0], algorithm.differential_weight[1],
                     algorithm.crossover_probability, value_to_reach()});
  }

  [[nodiscard]] double value_to_reach() const {
    return setup.settings.stop.value_to_reach.value_or(-std::numeric_limits<double>::infinity());
  }

  /// jSO starts its memories at F 0.3 and CR 0.8.
  void write_first_memories() {
    const std::size_t memory = static_cast<std::size_t>(setup.island.memory);
    std::vector<double> values(islands * 2 * memory);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i / memory % 2 == 0 ? 0.3 : 0.8;
    memories.write(values);
    std::vector<cl_long> counts(islands * counters_an_island, 0);
    for (std::size_t i = 0; i < islands; ++i) {
      counts[i * counters_an_island] = setup.island.members;
      counts[i * counters_an_island + 5] = -1;
    }
    counters = upload(device, counts);
  }

  /// Sets the arguments that evolve, breed and settle share; returns the index of the next one.
  cl_uint set_island_arguments(cl::Kernel& kernel) const {
    const std::array<const cl::Buffer*, 18> buffers = {&populations.buffer(),
                                                       &energies.buffer(),
                                                       &trials.buffer(),
                                                       &trial_energies.buffer(),
                                                       &gains.buffer(),
                                                       &fs.buffer(),
                                                       &crs.buffer(),
                                                       &orders,
                                                       &archives.buffer(),
                                                       &claims,
                                                       &bits,
                                                       &memories.buffer(),
                                                       &counters,
                                                       &run_numbers,
                                                       &run_reals.buffer(),
                                                       &box.buffer(),
                                                       &x_limits.buffer(),
                                                       &data.buffer()};
    cl_uint index = 0;
    for (const cl::Buffer* buffer : buffers) kernel.setArg(index++, *buffer);
    return index;
  }

  /// Evaluates the first `members` of `sets` sets of points.
  void enqueue_evaluation(const Reals& points, const Reals& values, std::size_t value_stride, std::size_t members,
                          std::size_t sets) {
    cl::Kernel& kernel = rows_shared() ? evaluate_by_rows : evaluate_members;
    kernel.setArg(0, points.buffer());
    kernel.setArg(1, values.buffer());
    kernel.setArg(2, static_cast<cl_int>(value_stride));
    kernel.setArg(3, static_cast<cl_int>(members));
    kernel.setArg(4, x_limits.buffer());
    kernel.setArg(5, data.buffer());
    if (rows_shared()) {
      const auto row_group = static_cast<std::size_t>(setup.device_plan.row_group);
      device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(members * row_group, sets),
                                        cl::NDRange(row_group, 1));
    } else {
      const std::size_t local = std::min<std::size_t>(group(), 64);
      const std::size_t whole = (members + local - 1) / local * local;
      device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(whole, sets), cl::NDRange(local, 1));
    }
  }

  void enqueue_island_kernel(cl::Kernel& kernel) const {
    device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(islands * group()), cl::NDRange(group()));
  }

  void enqueue_generations_a(std::int64_t count) {
    cl_uint next = set_island_arguments(evolve);
    evolve.setArg(next++, static_cast<cl_uint>(generation + 1));
    evolve.setArg(next++, static_cast<cl_uint>(count));
    evolve.setArg(next++, static_cast<cl_ulong>(schedule.evaluations()));
    evolve.setArg(next++, static_cast<cl_ulong>(setup.island.evaluations));
    enqueue_island_kernel(evolve);
    for (std::int64_t g = 0; g < count; ++g) static_cast<void>(schedule.next());
    generation += count;
  }

  void set_phase_arguments(const Step& step, std::int64_t evaluations_before) {
    for (cl::Kernel* kernel : {&breed, &settle}) {
      cl_uint next = set_island_arguments(*kernel);
      kernel->setArg(next++, static_cast<cl_uint>(generation));
      kernel->setArg(next++, static_cast<cl_int>(step.count));
      kernel->setArg(next++, static_cast<cl_ulong>(evaluations_before));
    }
  }

  void enqueue_generation_b() {
    const std::int64_t before = schedule.evaluations();
    const Step step = schedule.next();
    generation += 1;
    set_phase_arguments(step, before);
    enqueue_island_kernel(breed);
    enqueue_evaluation(trials, trial_energies, stride, static_cast<std::size_t>(step.count), islands);
    enqueue_island_kernel(settle);
  }

  /// Waits for all that was enqueued and returns its seconds.
  double finish(std::chrono::steady_clock::time_point start, double expected) {
    cl::Event event;
    device.queue.enqueueMarkerWithWaitList(nullptr, &event);
    device.queue.flush();
    device::wait(device, event, expected);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    busy += seconds;
    return seconds;
  }

  void write_given_members() {
    // Given members lie member by member; the device wants coordinate by coordinate.
    const auto members = static_cast<std::size_t>(setup.island.members);
    for (std::size_t i = 0; i < setup.initial.size() / (members * free); ++i) {
      std::vector<double> genes(free * stride, 0.0);
      for (std::size_t m = 0; m < stride; ++m)
        for (std::size_t k = 0; k < free; ++k)
          genes[k * stride + m] = setup.initial[(i * members + std::min(m, members - 1)) * free + k];
      populations.write(genes, i * free * stride);
    }
  }

  /// `start` values go to member 0 of island 0; entries without one keep what was drawn.
  void write_start() const {
    if (setup.first_island != 0 || islands == 0) return;
    std::vector<double> x(setup.problem.dimension());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = setup.problem.entries[i].start.value_or(setup.problem.entries[i].min);
    const std::vector<double> u = encode(setup.problem, x);
    for (const Entry& entry : setup.problem.entries)
      if (entry.start && entry.free_index >= 0) {
        const auto k = static_cast<std::size_t>(entry.free_index);
        populations.write({u[k]}, k * stride);
      }
  }

  void draw_members() {
    const auto initial = setup.settings.algorithm.initial;
    const auto members = static_cast<std::size_t>(setup.island.members);
    std::vector<double> base;
    if (initial == config::Initial::sobol) base = sobol_points(members, free);
    if (initial == config::Initial::halton) base = halton_points(members, free);
    Reals base_points(device, base.size(), single);
    base_points.write(base);
    initialize.setArg(0, populations.buffer());
    initialize.setArg(1, base_points.buffer());
    initialize.setArg(2, box.buffer());
    initialize.setArg(3, static_cast<cl_ulong>(setup.settings.run.seed));
    initialize.setArg(4, static_cast<cl_uint>(setup.first_island));
    device.queue.enqueueNDRangeKernel(initialize, cl::NullRange, cl::NDRange(free, islands));
    device.queue.finish();
  }

  void count_first_energies(std::size_t evaluated) {
    count_first.setArg(0, energies.buffer());
    count_first.setArg(1, counters);
    count_first.setArg(2, static_cast<cl_int>(evaluated));
    set_real(count_first, 3, value_to_reach(), single);
    count_first.setArg(4, static_cast<cl_uint>(islands));
    device.queue.enqueueNDRangeKernel(count_first, cl::NullRange, cl::NDRange(islands));
  }
};

Engine::Engine(const device::Device& device, const EngineSetup& setup) try
    : implementation_(std::make_unique<Implementation>(device, setup)) {
} catch (const cl::Error& error) {
  throw device::translate(error, device);
}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

/// Runs `body` and turns OpenCL's errors into ours.
template <typename Body>
static auto guarded(const device::Device& device, Body&& body) {
  try {
    return body();
  } catch (const cl::Error& error) {
    throw device::translate(error, device);
  }
}

void Engine::warm_up() {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    if (my.shape_a()) {
      my.enqueue_generations_a(0);
    } else {
      my.set_phase_arguments({0, 0}, 0);
      my.enqueue_island_kernel(my.breed);
      my.enqueue_island_kernel(my.settle);
    }
    my.device.queue.finish();
  });
  static_cast<void>(statistics());
  static_cast<void>(emigrate(false));
  Arrivals nobody;
  nobody.first.assign(my.islands, 0);
  nobody.number.assign(my.islands, 0);
  static_cast<void>(immigrate(nobody, false));
}

void Engine::initialize() {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    const auto start = std::chrono::steady_clock::now();
    const auto evaluated = static_cast<std::size_t>(my.schedule.next().count);
    my.draw_members();
    my.write_given_members();
    my.write_start();
    my.energies.fill(std::numeric_limits<double>::infinity());
    my.enqueue_evaluation(my.populations, my.energies, my.stride, evaluated, my.islands);
    my.count_first_energies(evaluated);
    my.finish(start, 0);
  });
}

IslandStates Engine::snapshot() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    IslandStates states;
    states.members = my.schedule.members();
    const auto members = static_cast<std::size_t>(states.members);
    const std::size_t size = my.populations.size();
    states.populations = without_padding(my.populations.bits(), my.stride, members, size);
    states.energies = without_padding(my.energies.bits(), my.stride, members, size);
    states.archives = my.archives.bits();
    states.memories = my.memories.bits();
    states.counters.resize(my.islands * counters_an_island);
    my.device.queue.enqueueReadBuffer(my.counters, CL_TRUE, 0, states.counters.size() * sizeof(cl_long),
                                      states.counters.data());
    return states;
  });
}

void Engine::restore(const IslandStates& states, std::int64_t generation, std::int64_t evaluations) {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    const auto members = static_cast<std::size_t>(states.members);
    const std::size_t size = my.populations.size();
    my.populations.write_bits(with_padding(states.populations, my.stride, members, size));
    my.energies.write_bits(with_padding(states.energies, my.stride, members, size));
    my.archives.write_bits(states.archives);
    my.memories.write_bits(states.memories);
    my.device.queue.enqueueWriteBuffer(my.counters, CL_TRUE, 0, states.counters.size() * sizeof(cl_long),
                                       states.counters.data());
    my.schedule = Schedule(my.setup.island, states.members, evaluations);
    my.generation = generation;
  });
}

void Engine::advance(std::int64_t generations) {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    const auto start = std::chrono::steady_clock::now();
    if (my.shape_a())
      my.enqueue_generations_a(generations);
    else
      for (std::int64_t g = 0; g < generations; ++g) my.enqueue_generation_b();
    const double expected = my.seconds_a_generation * static_cast<double>(generations);
    my.seconds_a_generation = my.finish(start, expected) / static_cast<double>(generations);
  });
}

std::int64_t Engine::generation() const {
  return implementation_->generation;
}
const Schedule& Engine::schedule() const {
  return implementation_->schedule;
}
double Engine::seconds_a_generation() const {
  return implementation_->seconds_a_generation;
}
double Engine::busy_seconds() const {
  return implementation_->busy;
}

std::vector<IslandStatistics> Engine::statistics() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    my.statistics.setArg(0, my.energies.buffer());
    my.statistics.setArg(1, my.counters);
    my.statistics.setArg(2, my.statistic_values.buffer());
    my.statistics.setArg(3, my.best_members);
    my.enqueue_island_kernel(my.statistics);
    std::vector<cl_int> best(my.islands);
    my.device.queue.enqueueReadBuffer(my.best_members, CL_TRUE, 0, best.size() * 4, best.data());
    const std::vector<double> values = my.statistic_values.read(my.islands * statistics_an_island);
    std::vector<IslandStatistics> result(my.islands);
    for (std::size_t i = 0; i < my.islands; ++i)
      result[i] = {values[4 * i], values[4 * i + 1], values[4 * i + 2], static_cast<std::int64_t>(values[4 * i + 3]),
                   best[i]};
    return result;
  });
}

std::vector<IslandCounters> Engine::counters() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    std::vector<cl_long> values(my.islands * counters_an_island);
    my.device.queue.enqueueReadBuffer(my.counters, CL_TRUE, 0, values.size() * sizeof(cl_long), values.data());
    std::vector<IslandCounters> result(my.islands);
    for (std::size_t i = 0; i < my.islands; ++i) {
      const cl_long* mine = values.data() + i * counters_an_island;
      result[i] = {mine[0], mine[3], mine[4], mine[5]};
    }
    return result;
  });
}

std::vector<double> Engine::member(std::int64_t local_island, int member) {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const std::size_t offset = static_cast<std::size_t>(local_island) * my.free * my.stride;
    const std::vector<double> genes = my.populations.read(my.free * my.stride, offset);
    std::vector<double> u(my.setup.problem.free());
    for (std::size_t k = 0; k < u.size(); ++k) u[k] = genes[k * my.stride + static_cast<std::size_t>(member)];
    return u;
  });
}

Populations Engine::download() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const auto members = static_cast<std::size_t>(my.schedule.members());
    const std::size_t free = my.setup.problem.free();
    Populations result{static_cast<std::int64_t>(members), std::vector<double>(my.islands * members * free),
                       std::vector<double>(my.islands * members)};
    for (std::size_t i = 0; i < my.islands; ++i) {
      const std::vector<double> genes = my.populations.read(my.free * my.stride, i * my.free * my.stride);
      const std::vector<double> energies = my.energies.read(members, i * my.stride);
      for (std::size_t m = 0; m < members; ++m) {
        result.energies[i * members + m] = energies[m];
        for (std::size_t k = 0; k < free; ++k) result.points[(i * members + m) * free + k] = genes[k * my.stride + m];
      }
    }
    return result;
  });
}

std::vector<double> Engine::memories(std::int64_t local_island) {
  auto& my = *implementation_;
  const std::size_t size = 2 * static_cast<std::size_t>(my.setup.island.memory);
  return guarded(my.device, [&] { return my.memories.read(size, static_cast<std::size_t>(local_island) * size); });
}

Emigrants Engine::emigrate(bool with_points) {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const auto migrants = static_cast<std::size_t>(my.setup.island.migrants);
    const std::size_t rows = my.islands * migrants;
    if (my.emigrant_rows < rows) {
      my.emigrants = Reals(my.device, rows * my.free, my.single);
      my.emigrant_energies = Reals(my.device, rows, my.single);
      my.emigrant_rows = rows;
    }
    cl_uint next = 0;
    my.emigrate.setArg(next++, my.populations.buffer());
    my.emigrate.setArg(next++, my.energies.buffer());
    my.emigrate.setArg(next++, my.counters);
    my.emigrate.setArg(next++, my.emigrants.buffer());
    my.emigrate.setArg(next++, my.emigrant_energies.buffer());
    my.emigrate.setArg(next++, static_cast<cl_int>(migrants));
    my.emigrate.setArg(next++, static_cast<cl_ulong>(my.setup.settings.run.seed));
    my.emigrate.setArg(next++, static_cast<cl_uint>(my.setup.first_island));
    my.emigrate.setArg(next++, static_cast<cl_uint>(my.generation));
    my.enqueue_island_kernel(my.emigrate);
    Emigrants result;
    result.energies = my.emigrant_energies.read(rows);
    if (with_points) result.points = my.emigrants.read(rows * my.free);
    return result;
  });
}

std::vector<std::uint8_t> Engine::immigrate(const Arrivals& arrivals, bool with_flags) {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const std::size_t local_rows = my.islands * static_cast<std::size_t>(my.setup.island.migrants);
    const std::size_t rows = local_rows + arrivals.remote_energies.size();
    if (my.emigrant_rows < rows) {  // room for the remote ones behind the local ones
      Reals points(my.device, rows * my.free, my.single), energies(my.device, rows, my.single);
      my.device.queue.enqueueCopyBuffer(my.emigrants.buffer(), points.buffer(), 0, 0,
                                        local_rows * my.free * points.size());
      my.device.queue.enqueueCopyBuffer(my.emigrant_energies.buffer(), energies.buffer(), 0, 0,
                                        local_rows * energies.size());
      my.device.queue.finish();
      my.emigrants = points;
      my.emigrant_energies = energies;
      my.emigrant_rows = rows;
    }
    my.emigrants.write(arrivals.remote_points, local_rows * my.free);
    my.emigrant_energies.write(arrivals.remote_energies, local_rows);
    std::vector<cl_long> offsets(my.islands);
    cl_long total = 0;
    for (std::size_t i = 0; i < my.islands; ++i) {
      offsets[i] = total;
      total += arrivals.number[i];
    }
    const auto candidates = static_cast<std::size_t>(total);
    if (my.flags() == nullptr || candidates > my.flags_size) {
      my.flags = device::allocate(my.device, candidates);
      my.flags_size = candidates;
    }
    cl_uint next = 0;
    my.immigrate.setArg(next++, my.populations.buffer());
    my.immigrate.setArg(next++, my.energies.buffer());
    my.immigrate.setArg(next++, my.counters);
    my.immigrate.setArg(next++, my.emigrants.buffer());
    my.immigrate.setArg(next++, my.emigrant_energies.buffer());
    my.immigrate.setArg(next++, my.arrival_rows.set(my.device, arrivals.rows));
    my.immigrate.setArg(next++, my.arrival_sources.set(my.device, arrivals.sources));
    my.immigrate.setArg(next++, my.arrival_first.set(my.device, arrivals.first));
    my.immigrate.setArg(next++, my.arrival_number.set(my.device, arrivals.number));
    my.immigrate.setArg(next++, my.flag_offsets.set(my.device, offsets));
    my.immigrate.setArg(next++, my.flags);
    my.immigrate.setArg(next++, static_cast<cl_ulong>(my.setup.settings.run.seed));
    my.immigrate.setArg(next++, static_cast<cl_uint>(my.setup.first_island));
    my.immigrate.setArg(next++, static_cast<cl_uint>(my.generation));
    my.enqueue_island_kernel(my.immigrate);
    std::vector<std::uint8_t> accepted;
    if (with_flags && total > 0) {
      accepted.resize(candidates);
      my.device.queue.enqueueReadBuffer(my.flags, CL_TRUE, 0, accepted.size(), accepted.data());
    } else {
      my.device.queue.finish();
    }
    return accepted;
  });
}

std::vector<double> Engine::evaluate(const std::vector<double>& points) {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const std::size_t count = my.setup.problem.free() == 0 ? 1 : points.size() / my.free;
    std::vector<double> by_coordinate(count * my.free, 0.0);
    for (std::size_t i = 0; i < count && !points.empty(); ++i)
      for (std::size_t k = 0; k < my.free; ++k) by_coordinate[k * count + i] = points[i * my.free + k];
    Reals inputs(my.device, by_coordinate.size(), my.single), values(my.device, count, my.single);
    inputs.write(by_coordinate);
    my.enqueue_evaluation(inputs, values, count, count, 1);
    return values.read(count);
  });
}

std::vector<double> Engine::row_parts(const std::vector<double>& u) {
  auto& my = *implementation_;
  if (my.objective.rows == 0) return {};
  return guarded(my.device, [&] {
    Reals point(my.device, my.free, my.single), parts(my.device, my.objective.rows, my.single);
    point.write(u);
    my.evaluate_rows.setArg(0, point.buffer());
    my.evaluate_rows.setArg(1, parts.buffer());
    my.evaluate_rows.setArg(2, my.x_limits.buffer());
    my.evaluate_rows.setArg(3, my.data.buffer());
    my.device.queue.enqueueNDRangeKernel(my.evaluate_rows, cl::NullRange, cl::NDRange(my.objective.rows));
    return parts.read(my.objective.rows);
  });
}

}  // namespace atl::de
