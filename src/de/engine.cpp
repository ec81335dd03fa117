#include "de/engine.hpp"

#include "de/engine_implementation.hpp"

namespace atl::de {

Engine::Engine(const device::Device& device, const EngineSetup& setup) try
    : implementation_(std::make_unique<Implementation>(device, setup)) {
} catch (const cl::Error& error) {
  throw device::translate(error, device);
}

Engine::~Engine() = default;
Engine::Engine(Engine&&) noexcept = default;

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
  emigrate(false);
  static_cast<void>(emigrants());
  Arrivals nobody;
  nobody.first.assign(my.islands, 0);
  nobody.number.assign(my.islands, 0);
  immigrate(nobody);
  static_cast<void>(accepted());
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

void Engine::advance(std::int64_t generations, const std::function<void()>& meanwhile) {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    const auto start = std::chrono::steady_clock::now();
    if (my.shape_a())
      my.enqueue_generations_a(generations);
    else
      for (std::int64_t g = 0; g < generations; ++g) my.enqueue_generation_b();
    if (meanwhile) {
      my.device.queue.flush();
      meanwhile();
    }
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
