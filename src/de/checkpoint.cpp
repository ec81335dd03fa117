#include "de/checkpoint.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <numeric>

#include "base/utc.hpp"
#include "cluster/gather.hpp"
#include "store/hdf5.hpp"

namespace atl::de {
namespace {

template <typename T>
std::vector<T> in_order(const std::vector<T>& values, const std::vector<std::size_t>& order, std::size_t width = 1) {
  std::vector<T> sorted;
  sorted.reserve(order.size() * width);
  for (const std::size_t row : order)
    for (std::size_t k = 0; k < width; ++k) sorted.push_back(values[row * width + k]);
  return sorted;
}

/// The ranks' logs as one in the order (generation, destination, arrival), cut to its longest.
void gather_log(store::DeCheckpoint& checkpoint, const MigrationLog& log, const cluster::Communicator& communicator) {
  const auto generation = cluster::gather_values(log.generation, communicator);
  const auto source = cluster::gather_values(log.source, communicator);
  const auto destination = cluster::gather_values(log.destination, communicator);
  const auto energy = cluster::gather_values(log.energy, communicator);
  const auto points = cluster::gather_values(log.points, communicator);
  checkpoint.migrations_accepted = communicator.sum(log.accepted);
  std::vector<std::size_t> order(generation.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return generation[a] < generation[b] || (generation[a] == generation[b] && destination[a] < destination[b]);
  });
  if (order.size() > MigrationLog::longest) order.resize(MigrationLog::longest);
  checkpoint.migration_generation = in_order(generation, order);
  checkpoint.migration_source = in_order(source, order);
  checkpoint.migration_destination = in_order(destination, order);
  checkpoint.migration_energy = in_order(energy, order);
  if (!points.empty()) checkpoint.migration_points = in_order(points, order, static_cast<std::size_t>(checkpoint.free));
}

void gather_islands(store::DeCheckpoint& checkpoint, Engine* engine, const cluster::Communicator& communicator) {
  IslandStates all = engine != nullptr ? engine->snapshot() : IslandStates{};
  if (communicator.size() > 1) {
    const auto parts = communicator.gather(communicator.root() ? std::vector<std::byte>{} : to_bytes(all));
    for (std::size_t rank = 1; rank < parts.size(); ++rank) append(all, island_states(parts[rank]));
  }
  checkpoint.members = all.members;
  checkpoint.populations = std::move(all.populations);
  checkpoint.energies = std::move(all.energies);
  checkpoint.archives = std::move(all.archives);
  checkpoint.memories = std::move(all.memories);
  checkpoint.counters = std::move(all.counters);
}

void copy_state(store::DeCheckpoint& checkpoint, const SearchState& state) {
  checkpoint.generation = state.generation;
  checkpoint.evaluations = state.evaluations;
  checkpoint.seconds = state.seconds;
  checkpoint.history_generation = state.history.generation;
  checkpoint.history_evaluations = state.history.evaluations;
  checkpoint.history_seconds = state.history.seconds;
  checkpoint.history_best = state.history.best;
  checkpoint.history_mean = state.history.mean;
  checkpoint.history_std = state.history.std;
  checkpoint.history_island_best = state.history.island_best;
  checkpoint.history_stride = state.history.thinning().stride;
  checkpoint.history_seen = state.history.thinning().seen;
  checkpoint.history_last_is_extra = state.history.thinning().last_is_extra;
  checkpoint.best_seen = state.stopping.seen;
  checkpoint.best = state.stopping.best;
  checkpoint.improved = state.stopping.improved;
}

}  // namespace

std::optional<store::DeCheckpoint> gather_checkpoint(const store::DeCheckpoint& head, Engine* engine,
                                                     const SearchState& state, const MigrationLog& log,
                                                     const cluster::Communicator& communicator) {
  store::DeCheckpoint checkpoint = head;
  gather_islands(checkpoint, engine, communicator);
  gather_log(checkpoint, log, communicator);
  if (!communicator.root()) return std::nullopt;
  copy_state(checkpoint, state);
  checkpoint.saved = utc_now();
  return checkpoint;
}

struct CheckpointWriter::Job {
  store::DeCheckpoint checkpoint;
  std::atomic<bool> done = false;
  std::string fault;  // these three are read when done
  std::size_t bytes = 0;
  double seconds = 0;
  std::thread thread;
};

CheckpointWriter::CheckpointWriter(store::CheckpointPaths paths, Tell warning, Tell note)
    : paths_(std::move(paths)), warning_(std::move(warning)), note_(std::move(note)) {}

CheckpointWriter::~CheckpointWriter() {
  if (job_) job_->thread.join();
}

bool CheckpointWriter::ready() {
  if (job_ && !job_->done) return false;
  wait();
  return true;
}

void CheckpointWriter::start(store::DeCheckpoint checkpoint) {
  wait();
  job_ = std::make_unique<Job>();
  job_->checkpoint = std::move(checkpoint);
  job_->thread = std::thread([&job = *job_, &paths = paths_] {
    const auto begin = std::chrono::steady_clock::now();
    try {
      const std::vector<std::byte> bytes = store::checkpoint_bytes(job.checkpoint);
      job.bytes = bytes.size();
      store::write_checkpoint(paths, bytes);
    } catch (const std::exception& error) {
      job.fault = error.what();
    }
    job.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    job.checkpoint = {};
    job.done = true;
  });
}

void CheckpointWriter::wait() {
  if (!job_) return;
  job_->thread.join();
  const auto job = std::move(job_);
  if (!job->fault.empty() && warning_)
    warning_(job->fault + "; the search goes on, and the checkpoint before this one stays");
  if (job->fault.empty() && note_)
    note_(fmt::format("{} bytes of checkpoint were written in {:.3f} s beside the search", job->bytes, job->seconds));
}

void CheckpointWriter::write_now(const store::DeCheckpoint& checkpoint) {
  wait();
  store::write_checkpoint(paths_, store::checkpoint_bytes(checkpoint));
}

}  // namespace atl::de
