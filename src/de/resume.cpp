#include "de/resume.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.hpp"
#include "de/plan.hpp"
#include "store/som_file.hpp"

namespace atl::de {
namespace {

constexpr const char* fingerprint_key = "problem and data";

/// Keys that decide when a search ends, not what it does until then. Also of a line "key = value".
bool is_of_the_end(const std::string& key) {
  return key.starts_with("stop.") || key.starts_with("run.polish");
}

/// Keys that do not decide the search, or that stand in the identity in another form.
bool is_left_out(const std::string& key) {
  static constexpr std::array<std::string_view, 6> left_out = {"problem.data",      "problem.objective",
                                                               "algorithm.initial", "algorithm.schedule_evaluations",
                                                               "islands.count",     "algorithm.population"};
  return std::find(left_out.begin(), left_out.end(), key) != left_out.end();
}

std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// The number in an identity's line of this key, which is not its first.
std::optional<std::int64_t> number_of(const std::string& identity, const std::string& key) {
  const std::string begin = "\n" + key + " = ";
  const std::size_t line = identity.find(begin);
  if (line == std::string::npos) return std::nullopt;
  return std::strtoll(identity.c_str() + line + begin.size(), nullptr, 10);
}

/// Lines "key: was A, is B" between the search and end of this identity and those of now.
std::vector<std::string> changes_since(const std::string& identity, const config::LoadedDe& loaded,
                                       const Problem& problem) {
  const config::DeSettings& settings = loaded.settings;
  const bool counted = problem.free() == 0 || settings.islands.automatic;
  const std::int64_t schedule = settings.algorithm.schedule_evaluations.value_or(
      number_of(identity, "algorithm.schedule_evaluations").value_or(plan_island(settings, problem).schedule));
  const std::int64_t islands =
      counted ? number_of(identity, "islands.count").value_or(settings.islands.count) : settings.islands.count;
  return store::identity_changes(identity, result_identity(loaded, problem, schedule, islands));
}

template <std::size_t N>
std::array<std::int64_t, N> from_root(std::array<std::int64_t, N> values, const cluster::Communicator& communicator) {
  std::vector<std::byte> bytes(sizeof values);
  std::memcpy(bytes.data(), values.data(), bytes.size());
  communicator.broadcast(bytes);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace

std::string search_identity(const config::LoadedDe& loaded, const Problem& problem, std::int64_t schedule,
                            std::int64_t islands) {
  std::string identity;
  for (const config::EffectiveValue& entry : loaded.effective)
    if (!is_left_out(entry.key) && !is_of_the_end(entry.key))
      identity += fmt::format("{} = {}\n", entry.key, one_line(entry.value));
  const IslandPlan plan = plan_island(loaded.settings, problem);
  identity += fmt::format("algorithm.population = {}\n", plan.members);
  if (plan.adaptive) identity += fmt::format("algorithm.schedule_evaluations = {}\n", schedule);
  identity += fmt::format("islands.count = {}\n", islands);
  identity += fmt::format("{} = {:016x}\n", fingerprint_key, fingerprint(problem));
  return identity;
}

std::string result_identity(const config::LoadedDe& loaded, const Problem& problem, std::int64_t schedule,
                            std::int64_t islands) {
  constexpr const char* budget = "stop.evaluations";
  std::string identity = search_identity(loaded, problem, schedule, islands);
  for (const config::EffectiveValue& entry : loaded.effective)
    if (is_of_the_end(entry.key) && entry.key != budget)
      identity += fmt::format("{} = {}\n", entry.key, one_line(entry.value));
  return identity + fmt::format("{} = {}\n", budget, plan_island(loaded.settings, problem).evaluations);
}

void check_same_search(const std::string& identity, const std::string& path, const config::LoadedDe& loaded,
                       const Problem& problem) {
  auto changes = changes_since(identity, loaded, problem);
  std::erase_if(changes, is_of_the_end);
  if (changes.empty()) return;
  // The fingerprint changes with every parameter; alone it tells of what no key shows.
  std::erase_if(changes, [](const std::string& change) { return change.starts_with(fingerprint_key); });
  if (changes.empty()) changes.emplace_back("the content of its files or the order of its parameters is another");
  fail(ExitCode::bad_configuration, "{} belongs to another search: {}; --force starts afresh, -o names another output",
       path, fmt::join(changes, "; "));
}

std::vector<std::string> changes_of_the_end(const std::string& identity, const config::LoadedDe& loaded,
                                            const Problem& problem) {
  auto changes = changes_since(identity, loaded, problem);
  std::erase_if(changes, [](const std::string& change) { return !is_of_the_end(change); });
  return changes;
}

IslandStates deal_islands(const store::DeCheckpoint* checkpoint, std::int64_t islands,
                          const cluster::Communicator& communicator) {
  IslandStates mine;
  std::map<int, std::vector<std::byte>> parts;
  if (checkpoint != nullptr) {
    const IslandStates all{checkpoint->members,  checkpoint->populations, checkpoint->energies,
                           checkpoint->archives, checkpoint->memories,    checkpoint->counters};
    for (int rank = 0; rank < communicator.size(); ++rank) {
      const std::int64_t first = first_island(islands, rank, communicator.size());
      const std::int64_t count = first_island(islands, rank + 1, communicator.size()) - first;
      IslandStates part = part_of(all, islands, first, count);
      if (rank == communicator.rank())
        mine = std::move(part);
      else
        parts[rank] = to_bytes(part);
    }
  }
  if (communicator.size() == 1) return mine;
  const auto received = communicator.exchange(parts, communicator.root() ? std::vector<int>{} : std::vector<int>{0});
  return communicator.root() ? mine : island_states(received.at(0));
}

void forget_other_value_to_reach(IslandStates& islands, std::optional<double> value, bool single) {
  constexpr std::size_t reached = 5, counters = store::DeCheckpoint::counters_an_island;
  const std::size_t size = single ? sizeof(float) : sizeof(double);
  const auto members = static_cast<std::size_t>(islands.members);
  const auto energy = [&](std::size_t place) {
    double wide = 0;
    float narrow = 0;
    std::memcpy(single ? static_cast<void*>(&narrow) : &wide, islands.energies.data() + place * size, size);
    return single ? static_cast<double>(narrow) : wide;
  };
  for (std::size_t island = 0; island < islands.counters.size() / counters; ++island) {
    bool stands = false;
    for (std::size_t m = 0; value && m < members; ++m) stands = stands || energy(island * members + m) <= *value;
    if (!stands) islands.counters[island * counters + reached] = -1;
  }
}

SearchState deal_state(const store::DeCheckpoint* checkpoint, std::int64_t islands,
                       const cluster::Communicator& communicator) {
  SearchState state{0, 0, 0, 0, History(islands), {}};
  std::array<std::int64_t, 3> numbers{};
  double seconds = 0;
  if (checkpoint != nullptr) {
    const store::DeCheckpoint& from = *checkpoint;
    numbers = {from.generation, from.members, from.evaluations};
    seconds = from.seconds;
    state.history.generation = from.history_generation;
    state.history.evaluations = from.history_evaluations;
    state.history.seconds = from.history_seconds;
    state.history.best = from.history_best;
    state.history.mean = from.history_mean;
    state.history.std = from.history_std;
    state.history.island_best = from.history_island_best;
    state.history.set_thinning({from.history_stride, from.history_seen, from.history_last_is_extra});
    state.stopping = {from.best_seen, from.best, from.improved};
  }
  numbers = from_root(numbers, communicator);
  state.generation = numbers[0];
  state.members = numbers[1];
  state.evaluations = numbers[2];
  state.seconds = communicator.max(seconds);
  return state;
}

MigrationLog migration_log(const store::DeCheckpoint& checkpoint) {
  MigrationLog log;
  log.generation = checkpoint.migration_generation;
  log.source = checkpoint.migration_source;
  log.destination = checkpoint.migration_destination;
  log.energy = checkpoint.migration_energy;
  log.points = checkpoint.migration_points;
  log.accepted = checkpoint.migrations_accepted;
  return log;
}

}  // namespace atl::de
