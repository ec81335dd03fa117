// What an engine tells of its islands, and how it is put back to an earlier generation.
#include "de/engine_implementation.hpp"

namespace atl::de {

void Engine::start_statistics() {
  auto& my = *implementation_;
  guarded(my.device, [&] {
    my.statistics.setArg(0, my.energies.buffer());
    my.statistics.setArg(1, my.counters);
    my.statistics.setArg(2, my.statistic_values.buffer());
    my.statistics.setArg(3, my.best_members);
    my.enqueue_attendants(my.statistics);
    my.statistic_values.start(my.seen_statistics, my.islands * statistics_an_island);
    my.seen_best_members.start(my.device, my.best_members, my.islands * sizeof(cl_int));
  });
}

std::vector<IslandStatistics> Engine::statistics() {
  auto& my = *implementation_;
  if (!my.seen_statistics.started()) start_statistics();
  return guarded(my.device, [&] {
    const std::vector<double> values = my.statistic_values.taken(my.seen_statistics);
    const auto best = my.seen_best_members.take_as<cl_int>();
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
    const std::size_t free = my.setup.problem.free(), island = my.free * my.stride;
    Populations result{static_cast<std::int64_t>(members), std::vector<double>(my.islands * members * free),
                       std::vector<double>(my.islands * members)};
    // Many islands a read: each read waits for the device once.
    const std::size_t together = std::max<std::size_t>(1, (std::size_t{1} << 20) / island);
    for (std::size_t first = 0; first < my.islands; first += together) {
      const std::size_t count = std::min(together, my.islands - first);
      const std::vector<double> genes = my.populations.read(count * island, first * island);
      const std::vector<double> energies = my.energies.read(count * my.stride, first * my.stride);
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t m = 0; m < members; ++m) {
          const std::size_t place = (first + i) * members + m;
          result.energies[place] = energies[i * my.stride + m];
          for (std::size_t k = 0; k < free; ++k)
            result.points[place * free + k] = genes[i * island + k * my.stride + m];
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

}  // namespace atl::de
