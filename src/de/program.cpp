#include "de/program.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "device/kernel_table.hpp"

namespace atl::de {
namespace {

struct StrategyCode {
  int number;  // STRATEGY of classic.cl
  bool exponential;
};

StrategyCode code_of(config::Strategy strategy) {
  using enum config::Strategy;
  switch (strategy) {
    case best1bin:
      return {0, false};
    case best1exp:
      return {0, true};
    case rand1bin:
      return {1, false};
    case rand1exp:
      return {1, true};
    case randtobest1bin:
      return {2, false};
    case randtobest1exp:
      return {2, true};
    case currenttobest1bin:
      return {3, false};
    case currenttobest1exp:
      return {3, true};
    case best2bin:
      return {4, false};
    case best2exp:
      return {4, true};
    case rand2bin:
      return {5, false};
    case rand2exp:
      return {5, true};
  }
  fail(ExitCode::internal, "unknown strategy");
}

int initial_code(config::Initial initial) {
  switch (initial) {
    case config::Initial::latin_hypercube:
      return 0;
    case config::Initial::sobol:
    case config::Initial::halton:
      return 1;
    case config::Initial::uniform:
    case config::Initial::file:
      return 2;  // the given members replace the drawn ones
  }
  fail(ExitCode::internal, "unknown initial population");
}

/// The largest power of two below the group's size, where its reductions begin; lanes are combined in one step.
int reduce_start(const DevicePlan& plan) {
  if (plan.group == 1) return 0;
  int start = 1;
  while (!plan.lanes && 2 * start < plan.group) start *= 2;
  return start;
}

std::string defines(const EngineSetup& setup) {
  const auto& algorithm = setup.settings.algorithm;
  const auto& plan = setup.device_plan;
  const StrategyCode strategy = code_of(algorithm.strategy);
  std::string text;
  const auto define = [&](const char* name, auto value) { text += fmt::format("#define {} {}\n", name, value); };
  if (setup.settings.run.precision == config::Precision::real32) define("ATOLL_SINGLE", 1);
  define("FREE", std::max<std::size_t>(setup.problem.free(), 1));
  define("MEMBERS", setup.island.members);
  define("STRIDE", plan.stride);
  define("GROUP", plan.group);
  define("ATTENDANTS", attendants(plan));
  define("ROW_GROUP", plan.row_group);
  define("REDUCE_START", reduce_start(plan));
  define("ARCHIVE", setup.island.archive);
  define("MEMORY", setup.island.memory);
  define("SPACE", plan.island_is_local ? "local" : "global");
  if (plan.island_is_local) define("ISLAND_IS_LOCAL", 1);
  if (trial_is_private(plan, setup.island, setup.problem.free())) define("TRIAL_IS_PRIVATE", 1);
  if (plan.lanes) define("LANES", 1);
  define(plan.shape == Shape::island_a_group ? "SHAPE_A" : "SHAPE_B", 1);
  define("BOUNDS", static_cast<int>(algorithm.bounds));
  define("INITIAL", initial_code(algorithm.initial));
  define("SELECTION", static_cast<int>(setup.settings.migration.selection));
  define("REPLACEMENT", static_cast<int>(setup.settings.migration.replacement));
  define("STRATEGY", strategy.number);
  define("EXPONENTIAL", strategy.exponential ? 1 : 0);
  // Short vectors are unrolled: genes in registers, random words picked at compile time.
  define("UNROLL_GENES", setup.problem.free() <= 32 ? "_Pragma(\"unroll\")" : "");
  return text;
}

}  // namespace

std::vector<device::SourcePiece> program_pieces(const EngineSetup& setup, const ObjectiveSource& objective) {
  std::vector<device::SourcePiece> pieces;
  const auto kernel = [&](const char* name) { pieces.push_back({device::kernel_source(name), ""}); };
  pieces.push_back({defines(setup), ""});
  for (const char* name : {"common/real.cl", "common/philox.cl", "common/draws.cl", "de/rules.cl"}) kernel(name);
  pieces.insert(pieces.end(), objective.pieces.begin(), objective.pieces.end());
  pieces.push_back({decode_source(setup.problem), ""});
  for (const char* name : {"de/island.cl", "de/reduce.cl", "de/bounds.cl", "de/crossover.cl"}) kernel(name);
  kernel(setup.settings.algorithm.name == config::AlgorithmName::classic ? "de/classic.cl" : "de/jso.cl");
  for (const char* name :
       {"de/select.cl", "de/evolve.cl", "de/evaluate.cl", "de/initialize.cl", "de/statistics.cl", "de/migrate.cl"})
    kernel(name);
  return pieces;
}

}  // namespace atl::de
