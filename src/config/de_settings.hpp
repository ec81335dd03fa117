// A checked problem file as plain structs: what `atoll de` was asked to do. Nothing here is read lazily or changed
// later.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "config/effective.hpp"

namespace atl::config {

enum class ProblemKind { model, objective, benchmark };
enum class LossKind { absolute, squared, huber, cauchy };
enum class Bounds { midpoint, resample, reflect, clip };
enum class Initial { latin_hypercube, sobol, halton, uniform, file };
enum class Strategy {  // SciPy's twelve, in SciPy's names
  best1bin,
  best1exp,
  rand1bin,
  rand1exp,
  randtobest1bin,
  randtobest1exp,
  currenttobest1bin,
  currenttobest1exp,
  best2bin,
  best2exp,
  rand2bin,
  rand2exp
};
enum class AlgorithmName { classic, jso };
enum class Topology { unconnected, ring, bidirectional_ring, complete };
enum class Selection { best, random };
enum class Replacement { worst_if_better, worst, random };
enum class Precision { real64, real32 };  // "double", "single"

struct Constant {
  std::string name;
  double value = 0;
  Location where;
};

/// One entry of [parameters] as written; a vector has size > 0 and stands for name[0]..name[size-1].
struct Parameter {
  std::string name;
  Location where;
  double min = 0, max = 0;  // equal to *value when fixed
  bool log_scale = false;
  bool integer = false;
  std::optional<double> value;  // fixed there (also when min == max)
  int size = 0;                 // 0: a scalar
  std::vector<double> start;    // empty, one value, or `size` values
};

struct ProblemSettings {
  ProblemKind kind = ProblemKind::benchmark;
  std::string text;  // the expression, the path of the .cl file (resolved), or the benchmark's name
  Location where;    // of the value; the column is that of the first character inside the quotes for a model
  std::string data;  // path resolved against the problem file (may carry ":/dataset"), empty without a table
  Location data_where;
  std::string target;  // column name; model only
  Location target_where;
  LossKind loss = LossKind::absolute;
  double loss_scale = 1;  // DELTA of huber, SCALE of cauchy
  std::string weight;     // column name or empty; model only
  Location weight_where;
  std::vector<std::string> columns;  // names for a file without a header
  std::vector<Constant> constants;
  std::vector<Parameter> parameters;  // in file order, --set additions last
};

struct AlgorithmSettings {
  AlgorithmName name = AlgorithmName::jso;
  Location where;
  std::optional<int> population;  // members an island; none: the algorithm's own rule
  Location population_where;
  Bounds bounds = Bounds::midpoint;  // default: midpoint, classic resample
  Initial initial = Initial::latin_hypercube;
  std::string initial_file;  // "file.h5:/path", resolved, for Initial::file
  Location initial_where;
  Strategy strategy = Strategy::best1bin;                  // classic
  std::array<double, 2> differential_weight = {0.5, 1.0};  // classic; equal entries: no dither
  double crossover_probability = 0.7;                      // classic
  std::optional<std::int64_t> schedule_evaluations;        // jso: length of the schedule; none: stop.evaluations
};

struct IslandSettings {
  std::int64_t count = 64;  // over the whole job
  bool automatic = false;   // "auto": fill the devices; count is resolved once by the run
  Location where;
};

struct MigrationSettings {
  Topology topology = Topology::ring;
  std::int64_t interval = 50;  // generations
  std::int64_t first = 50;     // default: interval
  int migrants = 1;
  Selection selection = Selection::best;
  Replacement replacement = Replacement::worst_if_better;
  Location where;  // of the table or of topology
};

/// An absent limit is off.
struct StopSettings {
  std::optional<std::int64_t> evaluations;  // each island; default (10,000 * free parameters) is resolved by the run
  std::optional<std::int64_t> generations;
  std::optional<double> value_to_reach;
  std::optional<double> seconds;
  std::optional<std::int64_t> stagnation;  // generations
  double tolerance_relative = 0, tolerance_absolute = 0;
};

struct RunSettings {
  std::uint64_t seed = 1;
  Precision precision = Precision::real64;
  bool polish = true;
};

struct DeSettings {
  std::string file;  // the problem file as the user named it
  ProblemSettings problem;
  AlgorithmSettings algorithm;
  IslandSettings islands;
  MigrationSettings migration;
  StopSettings stop;
  RunSettings run;
};

struct LoadedDe {
  DeSettings settings;
  std::vector<EffectiveValue> effective;   // every key that counts, in the order of data/README.md
  [[nodiscard]] std::string toml() const;  // the effective configuration as a TOML document (no origins)
};

/// Reads and checks a problem file. Every fault is one Error with file:line: 66 when the file is missing, 78 otherwise.
[[nodiscard]] LoadedDe load_de(const std::string& path, const std::vector<Override>& overrides);

/// Names as the user writes them, for messages and attributes.
[[nodiscard]] const char* name_of(LossKind);
[[nodiscard]] const char* name_of(Bounds);
[[nodiscard]] const char* name_of(Initial);
[[nodiscard]] const char* name_of(Strategy);
[[nodiscard]] const char* name_of(AlgorithmName);
[[nodiscard]] const char* name_of(Topology);
[[nodiscard]] const char* name_of(Selection);
[[nodiscard]] const char* name_of(Replacement);
[[nodiscard]] const char* name_of(Precision);

}  // namespace atl::config
