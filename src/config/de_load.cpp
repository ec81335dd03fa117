// load_de: a problem file and its overrides become checked settings.
#include "config/de_sections.hpp"

namespace atl::config {

namespace {

void declare(Reader& reader) {
  reader.expect("", {"problem", "constants", "parameters", "algorithm", "islands", "migration", "stop", "run"});
  reader.expect("problem", {"model", "objective", "benchmark", "data", "target", "loss", "weight", "columns"});
  reader.expect_any("constants");
  reader.expect_any("parameters");
  reader.expect("algorithm", {"name", "population", "bounds", "initial", "strategy", "differential_weight",
                              "crossover_probability", "schedule_evaluations"});
  reader.expect("islands", {"count"});
  reader.expect("migration", {"topology", "interval", "first", "migrants", "selection", "replacement", "mode"});
  reader.expect("stop", {"evaluations", "generations", "value_to_reach", "time", "stagnation", "tolerance"});
  reader.expect("stop.tolerance", {"relative", "absolute"});
  reader.expect("run", {"seed", "precision", "polish"});
  reader.forbid("constraints", "not available in this version; a penalty can be part of the model or the objective");
  reader.refuse_unknown();
  for (const char* table : {"problem", "constants", "parameters", "algorithm", "islands", "migration", "stop", "run"}) {
    static_cast<void>(reader.table(table));
  }
}

}  // namespace

LoadedDe load_de(const std::string& path, const std::vector<Override>& overrides) {
  Document document = read_document(path);
  apply(document, overrides);
  Reader reader(std::move(document));
  declare(reader);

  DeSettings settings;
  settings.file = path;
  settings.problem = read_problem(reader);
  settings.problem.constants = read_constants(reader, settings.problem.kind);
  settings.problem.parameters = read_parameters(reader);
  settings.algorithm = read_algorithm(reader);
  settings.islands = read_islands(reader);
  settings.migration = read_migration(reader, settings.islands);
  settings.stop = read_stop(reader);
  settings.run = read_run(reader);
  if (settings.run.precision == Precision::real32) check_single_precision(reader, settings.problem.parameters);
  return {std::move(settings), reader.effective()};
}

std::string LoadedDe::toml() const {
  return toml_document(effective);
}

}  // namespace atl::config
