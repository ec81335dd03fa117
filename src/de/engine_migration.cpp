// Members that leave and enter the islands of an engine.
#include "de/engine_implementation.hpp"

namespace atl::de {

void Engine::emigrate(bool with_points) {
  auto& my = *implementation_;
  guarded(my.device, [&] {
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
    my.enqueue_attendants(my.emigrate);
    my.emigrant_energies.start(my.leaving_energies, rows);
    if (with_points) my.emigrants.start(my.leaving_points, rows * my.free);
  });
}

Emigrants Engine::emigrants() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    return Emigrants{my.emigrant_energies.taken(my.leaving_energies), my.emigrants.taken(my.leaving_points)};
  });
}

void Engine::immigrate(const Arrivals& arrivals) {
  auto& my = *implementation_;
  guarded(my.device, [&] {
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
    my.enqueue_attendants(my.immigrate);
    my.accepted.start(my.device, my.flags, candidates);
    my.device.queue.flush();
  });
}

std::vector<std::uint8_t> Engine::accepted() {
  auto& my = *implementation_;
  return guarded(my.device, [&] {
    const auto flags = my.accepted.take_as<std::uint8_t>();
    return std::vector<std::uint8_t>(flags.begin(), flags.end());
  });
}

}  // namespace atl::de
