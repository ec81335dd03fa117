// What stands behind Engine: its buffers and kernels, and how they are launched. Only engine*.cpp include it.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "de/device_values.hpp"
#include "de/engine.hpp"
#include "de/low_discrepancy.hpp"
#include "de/program.hpp"

namespace atl::de {

inline constexpr std::int64_t counters_an_island = 6;    // COUNTERS of evolve.cl
inline constexpr std::int64_t statistics_an_island = 4;  // STATISTICS of statistics.cl

inline std::vector<double> limits_of(const Problem& problem) {
  std::vector<double> limits;
  for (const Entry& entry : problem.entries) limits.push_back(entry.min);
  for (const Entry& entry : problem.entries) limits.push_back(entry.max);
  return limits;
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
  device::Fetch leaving_energies, leaving_points, accepted;  // of the exchange that goes on
  device::Fetch seen_statistics, seen_best_members;
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

  ~Implementation() { device.queue.finish(); }  // what is still read comes to memory of this object
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

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

  /// One group an island.
  void enqueue_groups(cl::Kernel& kernel, std::size_t work_items) const {
    device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(islands * work_items),
                                      cl::NDRange(work_items));
  }

  void enqueue_island_kernel(cl::Kernel& kernel) const { enqueue_groups(kernel, group()); }

  /// The kernels between launches.
  void enqueue_attendants(cl::Kernel& kernel) const {
    enqueue_groups(kernel, static_cast<std::size_t>(attendants(setup.device_plan)));
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

  /// Waits for all that was enqueued since `start`, about `expected` seconds of work, and returns its seconds.
  double finish(std::chrono::steady_clock::time_point start, double expected) {
    const auto since = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    cl::Event event;
    device.queue.enqueueMarkerWithWaitList(nullptr, &event);
    device.queue.flush();
    device::wait(device, event, expected - since());
    const double seconds = since();
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

/// Runs `body` and turns OpenCL's errors into ours.
template <typename Body>
auto guarded(const device::Device& device, Body&& body) {
  try {
    return body();
  } catch (const cl::Error& error) {
    throw device::translate(error, device);
  }
}

}  // namespace atl::de
