// [algorithm], [islands] and [migration]: who searches, and who tells whom.
#include "config/de_names.hpp"
#include "config/de_sections.hpp"

namespace atl::config {

namespace {

/// Members that the donors of one trial need (storn-price strategies: distinct donors, and the target itself).
int fewest_members(Strategy strategy) {
  switch (strategy) {
    case Strategy::best1bin:
    case Strategy::best1exp:
    case Strategy::currenttobest1bin:
    case Strategy::currenttobest1exp:
      return 3;
    case Strategy::rand1bin:
    case Strategy::rand1exp:
    case Strategy::randtobest1bin:
    case Strategy::randtobest1exp:
      return 4;
    case Strategy::best2bin:
    case Strategy::best2exp:
      return 5;
    case Strategy::rand2bin:
    case Strategy::rand2exp:
      return 6;
  }
  return 6;
}

void refuse_unused(const Reader& reader, AlgorithmName name) {
  const auto refuse = [&](const char* key, const char* user) {
    if (reader.find(key) == nullptr) return;
    reader.refuse(key, fmt::format("is used by {} only; algorithm.name is {}{}", user, name_of(name),
                                   reader.find("algorithm.name") == nullptr ? ", the default" : ""));
  };
  if (name == AlgorithmName::classic) return refuse("algorithm.schedule_evaluations", "jso");
  for (const char* key : {"algorithm.strategy", "algorithm.differential_weight", "algorithm.crossover_probability"}) {
    refuse(key, "classic");
  }
}

void read_population(Reader& reader, AlgorithmSettings& algorithm) {
  algorithm.population_where = reader.where("algorithm.population");
  const std::optional<std::int64_t> population = reader.integer("algorithm.population", {1, most_members});
  if (!population) return;
  const bool classic = algorithm.name == AlgorithmName::classic;
  const int fewest = classic ? fewest_members(algorithm.strategy) : 4;
  if (*population < fewest) {
    reader.refuse("algorithm.population",
                  fmt::format("{} needs at least {} members, not {}",
                              classic ? name_of(algorithm.strategy) : name_of(algorithm.name), fewest, *population));
  }
  algorithm.population = static_cast<int>(*population);
}

void read_initial(Reader& reader, AlgorithmSettings& algorithm) {
  constexpr const char* key = "algorithm.initial";
  algorithm.initial_where = reader.where(key);
  const Value* value = reader.find(key);
  const std::string text = value == nullptr ? "" : reader.check_text_of(*value, key);
  const bool hdf5 = text.find(".h5") != std::string::npos || text.find(".hdf5") != std::string::npos;
  if (!hdf5) {
    for (const auto& [word, initial] : initial_names) {
      if (value != nullptr && text == word) algorithm.initial = initial;
    }
    if (value != nullptr && text != name_of(algorithm.initial)) {
      std::vector<std::string> words = words_of(initial_names);
      words.emplace_back("file.h5:/path");
      reader.wrong_word(*value, key, words);
    }
    return reader.record(key, toml_text(name_of(algorithm.initial)));
  }
  if (text.find(".h5:/") == std::string::npos && text.find(".hdf5:/") == std::string::npos) {
    reader.refuse(key, fmt::format("{} needs the dataset behind its name: file.h5:/path", toml_text(text)));
  }
  algorithm.initial = Initial::file;
  algorithm.initial_file = *reader.path(key);
}

void read_differential_weight(Reader& reader, AlgorithmSettings& algorithm) {
  constexpr const char* key = "algorithm.differential_weight";
  const std::vector<const Value*> values = reader.list(key);
  auto& [low, high] = algorithm.differential_weight;
  if (const Value* value = reader.find(key)) {
    if (values.size() != 1 && values.size() != 2) {
      reader.refuse(key, fmt::format("must be a number or a pair [low, high], not {}", describe(*value)));
    }
    constexpr Interval allowed{0, 2, true};
    low = reader.check(*values.front(), key, allowed);
    high = reader.check(*values.back(), key, allowed);
    if (low > high) reader.refuse(key, fmt::format("low ({}) is above high ({})", low, high));
  }
  reader.record(key, low == high ? toml_text(low) : fmt::format("[{}, {}]", toml_text(low), toml_text(high)));
}

}  // namespace

AlgorithmSettings read_algorithm(Reader& reader) {
  AlgorithmSettings algorithm;
  algorithm.where = reader.where("algorithm.name");
  algorithm.name =
      reader.choice("algorithm.name", AlgorithmName::jso, algorithm_names, {"jde", "jade", "shade", "lshade"});
  refuse_unused(reader, algorithm.name);
  const bool classic = algorithm.name == AlgorithmName::classic;
  if (classic) {
    algorithm.strategy = reader.choice("algorithm.strategy", algorithm.strategy, strategy_names);
    read_differential_weight(reader, algorithm);
    algorithm.crossover_probability =
        reader.real("algorithm.crossover_probability", {0, 1}, algorithm.crossover_probability);
  }
  read_population(reader, algorithm);
  algorithm.bounds = reader.choice("algorithm.bounds", classic ? Bounds::resample : Bounds::midpoint, bounds_names);
  read_initial(reader, algorithm);
  algorithm.schedule_evaluations = reader.integer("algorithm.schedule_evaluations", {1, most_evaluations});
  return algorithm;
}

IslandSettings read_islands(Reader& reader) {
  constexpr const char* key = "islands.count";
  IslandSettings islands;
  islands.where = reader.where(key);
  const Value* value = reader.find(key);
  if (value != nullptr && value->kind == Value::Kind::string) {
    if (value->text != "auto") {
      reader.refuse(key,
                    fmt::format("must be an integer from 1 to {} or \"auto\", not {}", most_islands, describe(*value)));
    }
    islands.automatic = true;
    reader.record(key, toml_text("auto"));
  } else {
    islands.count = reader.integer(key, {1, most_islands}, islands.count);
  }
  return islands;
}

MigrationSettings read_migration(Reader& reader, const IslandSettings& islands) {
  enum class Mode { synchronous };
  static constexpr std::array mode_names{Named<Mode>{"synchronous", Mode::synchronous}};
  MigrationSettings migration;
  migration.where = reader.where("migration.topology");
  migration.topology = reader.choice("migration.topology", migration.topology, topology_names,
                                     {"torus", "hypercube", "star", "random:", "edges:"});
  if (migration.topology == Topology::complete && !islands.automatic && islands.count > most_complete_islands) {
    reader.refuse("migration.topology", fmt::format("complete joins at most {} islands; islands.count is {}",
                                                    most_complete_islands, islands.count));
  }
  migration.interval = reader.integer("migration.interval", {1, most_generations}, migration.interval);
  migration.first = reader.integer("migration.first", {1, most_generations}, migration.interval);
  migration.migrants = static_cast<int>(reader.integer("migration.migrants", {1, most_members}, migration.migrants));
  migration.selection = reader.choice("migration.selection", migration.selection, selection_names, {"tournament:"});
  migration.replacement = reader.choice("migration.replacement", migration.replacement, replacement_names);
  reader.choice("migration.mode", Mode::synchronous, mode_names, {"asynchronous"});
  return migration;
}

}  // namespace atl::config
