#include "de/migration.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "de/plan.hpp"
#include "de/rules.hpp"
#include "de/take_memory.hpp"
#include "de/topology.hpp"

namespace atl::de {
namespace {

using draws64::ranks_before;

std::vector<std::byte> to_bytes(const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(double));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void append_doubles(std::vector<double>& values, const std::vector<std::byte>& bytes) {
  const std::size_t before = values.size();
  values.resize(before + bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(values.data() + before, bytes.data(), bytes.size());
}

/// Of the log's first rows now, about 10 MiB.
void take_memory_of(MigrationLog& log, std::size_t point_size) {
  constexpr std::size_t bytes = 10 << 20, addresses = 256 << 20;
  const std::size_t row = sizeof(double) * (4 + point_size);
  const std::size_t now = bytes / row, later = std::min(MigrationLog::longest, addresses / row);
  for (auto* column : {&log.generation, &log.source, &log.destination}) take_memory(*column, now, later);
  take_memory(log.energy, now, later);
  take_memory(log.points, now * point_size, later * point_size);
}

}  // namespace

bool migration_due(const config::MigrationSettings& settings, std::int64_t islands, std::int64_t generation) {
  if (settings.topology == config::Topology::unconnected || islands < 2 || generation < settings.first) return false;
  return generation > 0 && (generation - settings.first) % settings.interval == 0;
}

Migration::Migration(const config::MigrationSettings& settings, std::int64_t islands, std::int64_t migrants,
                     std::size_t free, bool keep_points, const cluster::Communicator& communicator)
    : settings_(settings),
      islands_(islands),
      migrants_(migrants),
      first_(first_island(islands, communicator.rank(), communicator.size())),
      end_(first_island(islands, communicator.rank() + 1, communicator.size())),
      free_(free),
      keep_points_(keep_points),
      communicator_(communicator) {
  if (settings.topology == config::Topology::unconnected || islands < 2) return;
  take_memory_of(log_, keep_points ? free : 0);
  find_partners();
  if (settings.topology == config::Topology::complete) return;
  for (std::int64_t island = first_; island < end_; ++island)
    sources_.push_back(sources(settings.topology, island, islands));
  order_is_known_ = knows_order();
}

/// Islands of [first, end) that send to an island of [to_first, to_end), ascending.
static std::vector<std::int64_t> senders(config::Topology topology, std::int64_t islands, std::int64_t first,
                                         std::int64_t end, std::int64_t to_first, std::int64_t to_end) {
  std::set<std::int64_t> found;
  if (topology == config::Topology::complete) {  // everybody, without asking a million pairs
    for (std::int64_t island = first; island < end && to_first < to_end; ++island) found.insert(island);
  } else {
    for (std::int64_t island = to_first; island < to_end; ++island)
      for (const std::int64_t source : sources(topology, island, islands))
        if (source >= first && source < end) found.insert(source);
  }
  return {found.begin(), found.end()};
}

/// Both sides derive the same lists from the topology, so no rank has to be asked.
void Migration::find_partners() {
  for (int rank = 0; rank < communicator_.size(); ++rank) {
    if (rank == communicator_.rank()) continue;
    const std::int64_t first = first_island(islands_, rank, communicator_.size());
    const std::int64_t end = first_island(islands_, rank + 1, communicator_.size());
    const auto from_them = senders(settings_.topology, islands_, first, end, first_, end_);
    const auto from_us = senders(settings_.topology, islands_, first_, end_, first, end);
    if (!from_them.empty()) receives_[rank] = from_them;
    if (!from_us.empty()) sends_[rank] = from_us;
  }
  for (const auto& [rank, islands] : receives_)
    for (const std::int64_t island : islands)
      remote_place_.emplace(island, static_cast<std::int64_t>(remote_place_.size()));
}

/// What the other ranks send: per island its energies, then its points; in the order of remote_place_.
std::vector<double> Migration::fetch_remote(const Emigrants& emigrants) {
  const auto migrants = static_cast<std::size_t>(migrants_);
  std::map<int, std::vector<std::byte>> messages;
  for (const auto& [rank, islands] : sends_) {
    std::vector<double> values;
    for (const std::int64_t island : islands) {
      const std::size_t row = static_cast<std::size_t>(island - first_) * migrants;
      const auto energies = emigrants.energies.begin() + static_cast<std::ptrdiff_t>(row);
      const auto points = emigrants.points.begin() + static_cast<std::ptrdiff_t>(row * free_);
      values.insert(values.end(), energies, energies + static_cast<std::ptrdiff_t>(migrants));
      values.insert(values.end(), points, points + static_cast<std::ptrdiff_t>(migrants * free_));
    }
    messages[rank] = to_bytes(values);
  }
  std::vector<int> from;
  for (const auto& [rank, islands] : receives_) from.push_back(rank);
  std::vector<double> remote;
  for (const auto& [rank, bytes] : communicator_.exchange(messages, from)) append_doubles(remote, bytes);
  return remote;
}

Arrivals Migration::arrange(const Emigrants& emigrants, const std::vector<double>& remote) const {
  Arrivals arrivals;
  const auto migrants = static_cast<std::size_t>(migrants_);
  const std::size_t block = migrants * (1 + free_), places = remote_place_.size();
  for (std::size_t place = 0; place < places; ++place) {
    const double* values = remote.data() + place * block;
    arrivals.remote_energies.insert(arrivals.remote_energies.end(), values, values + migrants);
    arrivals.remote_points.insert(arrivals.remote_points.end(), values + migrants, values + block);
  }
  const auto local = static_cast<std::size_t>(end_ - first_);
  const auto candidates_of = [&](std::int64_t source, std::vector<Candidate>& candidates) {
    const bool here = source >= first_ && source < end_;
    const std::size_t place =
        here ? static_cast<std::size_t>(source - first_) : local + static_cast<std::size_t>(remote_place_.at(source));
    for (std::size_t k = 0; k < migrants; ++k) {
      const std::size_t row = place * migrants + k;
      const double energy = here ? emigrants.energies[row] : arrivals.remote_energies[row - local * migrants];
      candidates.push_back({energy, static_cast<std::int32_t>(row), static_cast<std::int32_t>(source)});
    }
  };
  const auto append = [&](std::vector<Candidate>& candidates) {
    // On a ring with one migrant there is nothing to sort, and stable_sort would allocate for every island.
    if (candidates.size() > 1)
      std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return ranks_before(a.energy, b.energy) || (!ranks_before(b.energy, a.energy) && a.source < b.source);
      });
    for (const Candidate& candidate : candidates) {
      arrivals.rows.push_back(candidate.row);
      arrivals.sources.push_back(candidate.source);
    }
  };
  std::vector<Candidate> candidates;
  if (settings_.topology == config::Topology::complete) {  // one list serves all islands; each skips its own members
    for (std::int64_t source = 0; source < islands_; ++source) candidates_of(source, candidates);
    append(candidates);
    arrivals.first.assign(local, 0);
    arrivals.number.assign(local, static_cast<std::int32_t>(candidates.size()));
    return arrivals;
  }
  for (const auto& island_sources : sources_) {
    candidates.clear();
    for (const std::int64_t source : island_sources) candidates_of(source, candidates);
    arrivals.first.push_back(static_cast<std::int32_t>(arrivals.rows.size()));
    arrivals.number.push_back(static_cast<std::int32_t>(candidates.size()));
    append(candidates);
  }
  return arrivals;
}

void Migration::add_rows(const Emigrants& emigrants, const std::vector<std::uint8_t>& accepted) {
  const std::size_t local_rows = emigrants.energies.size();
  std::size_t flag = 0;
  for (std::size_t i = 0; i < arrivals_.first.size(); ++i) {
    for (std::int32_t c = 0; c < arrivals_.number[i]; ++c, ++flag) {
      if (accepted[flag] == 0) continue;
      log_.accepted += 1;
      if (log_.full()) continue;
      const auto entry = static_cast<std::size_t>(arrivals_.first[i]) + static_cast<std::size_t>(c);
      const auto row = static_cast<std::size_t>(arrivals_.rows[entry]);
      const bool here = row < local_rows;
      log_.generation.push_back(generation_);
      log_.source.push_back(arrivals_.sources[entry]);
      log_.destination.push_back(first_ + static_cast<std::int64_t>(i));
      log_.energy.push_back(here ? emigrants.energies[row] : arrivals_.remote_energies[row - local_rows]);
      if (!keep_points_) continue;
      const double* point =
          here ? emigrants.points.data() + row * free_ : arrivals_.remote_points.data() + (row - local_rows) * free_;
      log_.points.insert(log_.points.end(), point, point + free_);
    }
  }
}

/// True when every island has one candidate, and all of them are of this rank.
bool Migration::knows_order() const {
  return receives_.empty() && sends_.empty() && migrants_ == 1 &&
         std::all_of(sources_.begin(), sources_.end(), [](const auto& sources) { return sources.size() <= 1; });
}

void Migration::exchange(Engine& engine) {
  note();
  // The points stay on the device unless another rank or the log wants them.
  engine.emigrate(!sends_.empty() || (keep_points_ && !log_.full()));
  if (!order_is_known_) {
    emigrants_ = engine.emigrants();
    arrivals_ = arrange(emigrants_, fetch_remote(emigrants_));
  } else if (arrivals_.first.empty()) {  // the same every time, whatever the energies
    arrivals_ = arrange({std::vector<double>(static_cast<std::size_t>(end_ - first_)), {}}, {});
  }
  engine.immigrate(arrivals_);
  generation_ = engine.generation();
  pending_ = &engine;
}

void Migration::note() {
  if (pending_ == nullptr) return;
  if (order_is_known_) emigrants_ = pending_->emigrants();
  add_rows(emigrants_, pending_->accepted());
  pending_ = nullptr;
}

const MigrationLog& Migration::log() {
  note();
  return log_;
}

}  // namespace atl::de
