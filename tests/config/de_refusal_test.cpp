// Every way to get a problem file wrong that we thought of, and the line and words of its message.
#include <gtest/gtest.h>

#include "config/de_settings.hpp"
#include "config/good_problem.hpp"
#include "scratch.hpp"

namespace atl::config {
namespace {

/// The message behind the file's name, such as "78 :4: parameters.a: ...".
std::string refusal(const std::string& text) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("problem.toml", text);
  std::string error = test::error_of([&] { (void)load_de(file, {}); });
  for (std::size_t place = error.find(file); place != std::string::npos; place = error.find(file)) {
    error.erase(place, file.size());
  }
  return error;
}

struct Fault {
  std::string text;   // put in front of, or behind, a good file
  std::string words;  // how the message begins
};

void expect_all(const std::vector<Fault>& faults, const std::string& before, const std::string& after = "") {
  for (const Fault& fault : faults) {
    EXPECT_EQ(refusal(fmt::format("{}{}{}", before, fault.text, after)).substr(0, fault.words.size()), fault.words)
        << fault.text;
  }
}

TEST(DeRefusal, Problem) {
  const std::string parameters = "\n[parameters]\na = [-1, 1]\n";
  expect_all(
      {{"", "78 : problem: needs one of model, objective, benchmark"},
       {"[problem]", "78 :1: problem: needs one of model, objective, benchmark"},
       {"problem = 3", "78 :1: problem: must be a table, not 3"},
       {"[problem]\nmodle = 'x'",
        "78 :2: unknown key problem.modle; [problem] has model, objective, benchmark, data, "
        "target, loss, weight, columns; did you mean model?"},
       {"[problem]\nmodel = 'a'\nbenchmark = 'levy'",
        "78 :3: problem.benchmark: stands beside problem.model (:2); a "
        "problem has exactly one of model, objective, benchmark"},
       {"[problem]\nmodel = 'a'\ntarget = 'y'", "78 :2: problem.model: needs problem.data: "},
       {"[problem]\nmodel = 'a'\ndata = 't.csv'", "78 :2: problem.model: needs problem.target: "},
       {"[problem]\nmodel = 'a'\ndata = 3\ntarget = 'y'", "78 :3: problem.data: must be a string, not 3"},
       {"[problem]\nmodel = ''\ndata = 't'\ntarget = 'y'", "78 :2: problem.model: must not be empty"},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'huber'",
        "78 :5: problem.loss: \"huber\" needs a "
        "number above 0 behind its colon"},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'cauchy:-1'", "78 :5: problem.loss: \"cauchy:-1\" "},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'huber:nan'", "78 :5: problem.loss: \"huber:nan\" "},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'huber:1x'", "78 :5: problem.loss: \"huber:1x\" "},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'squared:1'",
        "78 :5: problem.loss: \"squared:1\" is "
        "not one of absolute, squared, huber:"},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nloss = 'sqared'",
        "78 :5: problem.loss: \"sqared\" is not "
        "one of absolute, squared, huber:DELTA, "
        "cauchy:SCALE; did you mean squared?"},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\nweight = 'y'", "78 :5: problem.weight: is the target "},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\ncolumns = ['y', 'y']",
        "78 :5: problem.columns: names \"y\" "
        "twice"},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\ncolumns = []", "78 :5: problem.columns: must name at "},
       {"[problem]\nmodel = 'a'\ndata = 't'\ntarget = 'y'\ncolumns = [1]", "78 :5: problem.columns: must be a string"},
       {"[problem]\nbenchmark = 'shpere'",
        "78 :2: problem.benchmark: \"shpere\" is not one of sphere, rosenbrock, "
        "rastrigin, ackley, griewank, schwefel, levy, zakharov; did you mean "
        "sphere?"},
       {"[problem]\nbenchmark = 'levy'\ndata = 't'", "78 :3: problem.data: is used by a model or an objective"},
       {"[problem]\nbenchmark = 'levy'\ncolumns = ['a']", "78 :3: problem.columns: is used by a model or an"},
       {"[problem]\nbenchmark = 'levy'\n[constants]\nk = 1", "78 :3: constants: are used by a model or an objective"},
       {"[problem]\nobjective = 'f.cl'\nloss = 'squared'", "78 :3: problem.loss: is used by a model only"},
       {"[problem]\nobjective = 'f.cl'\ntarget = 'y'", "78 :3: problem.target: is used by a model only"},
       {"[problem]\nobjective = 'f.cl'\nweight = 'y'", "78 :3: problem.weight: is used by a model only"},
       {"[problem]\nobjective = 'f.cl'\ncolumns = ['y']", "78 :3: problem.columns: names the columns of problem.data"},
       {"[problem]\nobjective = 'f.cl'\n[constants]\nk = 'x'", "78 :4: constants.k: must be a finite number, not "},
       {"[problem]\nobjective = 'f.cl'\n[constants]\nk = inf", "78 :4: constants.k: must be a finite number, not inf"},
       {"[problem]\nobjective = 'f.cl'\n[constants]\npi = 3", "78 :4: constants.\"pi\": pi is 3.14159"},
       {"[problem]\nobjective = 'f.cl'\n[constants]\n\"k k\" = 3", "78 :4: constants.\"k k\": a name has letters"},
       {"[problem]\nobjective = 'f.cl'\n[constants]\na = 3",
        "78 :6: parameters.a: is also the name of a constant (:4)"},
       {"[problem]\nbenchmark = 'levy'\n[constraints]\ng = 'a <= 0'", "78 :3: constraints: not available in this"}},
      "", parameters);
}

TEST(DeRefusal, Parameters) {
  EXPECT_EQ(refusal("[problem]\nbenchmark = 'levy'\n"), "78 : parameters: needs at least one, such as a = [-1, 1]");
  EXPECT_EQ(refusal("[problem]\nbenchmark = 'levy'\n[parameters]\n"),
            "78 :3: parameters: needs at least one, such as a = [-1, 1]");
  expect_all(
      {{"a1 = [20, -20]", "78 :4: parameters.a1: min (20) is above max (-20)"},
       {"[parameters.a1]\nmin = 20\nmax = -20", "78 :4: parameters.a1: min (20) is above max (-20)"},
       {"a = { min = 0.5, max = 0.25 }", "78 :4: parameters.a: min (0.5) is above max (0.25)"},
       {"a = [0, inf]", "78 :4: parameters.a.max: must be a finite number, not inf"},
       {"a = [nan, 0]", "78 :4: parameters.a.min: must be a finite number, not nan"},
       {"a = { min = -inf, max = 0 }", "78 :4: parameters.a.min: must be a finite number, not -inf"},
       {"a = [-1e308, 1e308]", "78 :4: parameters.a: max - min is not finite in [-1e+308, 1e+308]"},
       {"a = [0]",
        "78 :4: parameters.a: must be [min, max], { min = ..., max = ... } or { value = ... }, not an array"},
       {"a = [0, 1, 2]", "78 :4: parameters.a: must be [min, max]"},
       {"a = 3", "78 :4: parameters.a: must be [min, max], { min = ..., max = ... } or { value = ... }, not 3"},
       {"a = ['0', '1']", "78 :4: parameters.a.min: must be a finite number, not the string \"0\""},
       {"a = { min = 0 }", "78 :4: parameters.a: has no max; write [min, max]"},
       {"a = {}", "78 :4: parameters.a: has no min; write [min, max]"},
       {"a = { min = 0, mx = 1 }",
        "78 :4: unknown key parameters.a.mx; a parameter has min, max, scale, integer, "
        "value, size, start; did you mean max?"},
       {"[parameters.a]\nmin = 0\nmax = 1\nstrt = 1", "78 :7: unknown key parameters.a.strt; "},
       {"a = { value = 3, min = 0 }", "78 :4: parameters.a: value fixes it, so min has no meaning beside it"},
       {"a = { value = 3, integer = true }", "78 :4: parameters.a: value fixes it, so integer has no"},
       {"a = { value = nan }", "78 :4: parameters.a.value: must be a finite number, not nan"},
       {"a = { min = 0, max = 1, scale = 'log' }", "78 :4: parameters.a: scale = \"log\" needs min above 0, not 0"},
       {"a = { min = 1, max = 9, scale = 'log', integer = true }", "78 :4: parameters.a: scale = \"log\" and integer"},
       {"a = { min = 1, max = 9, scale = 'lg' }",
        "78 :4: parameters.a.scale: \"lg\" is not one of linear, log; did "
        "you mean log?"},
       {"a = { min = 1, max = 9, integer = 1 }", "78 :4: parameters.a.integer: must be true or false, not 1"},
       {"a = { min = 0.2, max = 0.8, integer = true }", "78 :4: parameters.a: no integer in [0.2, 0.8]"},
       {"a = { min = 0.5, max = 0.5, integer = true }", "78 :4: parameters.a: no integer in [0.5, 0.5]"},
       {"a = { min = 0, max = 1e17, integer = true }", "78 :4: parameters.a: integers go from -2^53 to 2^53"},
       {"a = { min = 0, max = 1, start = 2 }", "78 :4: parameters.a: start (2) is outside [0, 1]"},
       {"a = { min = 0, max = 1, start = nan }", "78 :4: parameters.a.start: must be a finite number, not nan"},
       {"a = { min = 0, max = 9, integer = true, start = 0.5 }", "78 :4: parameters.a: start (0.5) is no integer"},
       {"a = { min = 0, max = 1, start = [0.5] }", "78 :4: parameters.a: start is an array, but without size it is"},
       {"a = { min = 0, max = 1, size = 2, start = [0.5] }", "78 :4: parameters.a: start has 1 values, size is 2"},
       {"a = { min = 0, max = 1, size = 2, start = [0.5, 5] }", "78 :4: parameters.a: start (5) is outside [0, 1]"},
       {"a = { min = 0, max = 1, size = 0 }", "78 :4: parameters.a.size: must be an integer from 1 to 100000, not 0"},
       {"a = { min = 0, max = 1, size = 1.5 }", "78 :4: parameters.a.size: must be an integer from 1 to 100000"},
       {"a = { min = 0, max = 1, size = 100001 }", "78 :4: parameters.a.size: must be an integer from 1 to 100000"},
       {"\"a b\" = [0, 1]", "78 :4: parameters.\"a b\": a name has letters, digits and _, and no digit first"},
       {"a-b = [0, 1]", "78 :4: parameters.\"a-b\": a name has letters"},
       {"1a = [0, 1]", "78 :4: parameters.\"1a\": a name has letters"},
       {"\"\" = [0, 1]", "78 :4: parameters.\"\": a name has letters"},
       {"pi = [0, 1]", "78 :4: parameters.\"pi\": pi is 3.14159"},
       {"a = [0, 1]\na = [0, 2]", "78 :5:"},
       {"a = [0, 1e39]\n[run]\nprecision = 'single'", "78 :4: parameters.a: run.precision = \"single\" holds no width"},
       {"a = {min = 1e-40, max = 1, scale = 'log'}\n[run]\nprecision = 'single'", "78 :4: parameters.a: run.precision"},
       {"a = {min = 0, max = 1e8, integer = true}\n[run]\nprecision = 'single'", "78 :4: parameters.a: run.precision"}},
      "[problem]\nbenchmark = 'levy'\n[parameters]\n");
}

TEST(DeRefusal, AlgorithmIslandsAndMigration) {
  expect_all(
      {{"[algorithm]\nname = 'jade'",
        "78 :6: algorithm.name: \"jade\" is not available in this version; available: "
        "classic, jso"},
       {"[algorithm]\nname = 'clasic'",
        "78 :6: algorithm.name: \"clasic\" is not one of classic, jso; did you mean "
        "classic?"},
       {"[algorithm]\nstrategy = 'best1bin'",
        "78 :6: algorithm.strategy: is used by classic only; algorithm.name is "
        "jso, the default"},
       {"[algorithm]\nname = 'jso'\ndifferential_weight = 0.5", "78 :7: algorithm.differential_weight: is used by "},
       {"[algorithm]\ncrossover_probability = 0.5", "78 :6: algorithm.crossover_probability: is used by classic only"},
       {"[algorithm]\nname = 'classic'\nschedule_evaluations = 5",
        "78 :7: algorithm.schedule_evaluations: is used by "
        "jso only; algorithm.name is classic"},
       {"[algorithm]\nschedule_evaluations = 0", "78 :6: algorithm.schedule_evaluations: must be an integer from 1"},
       {"[algorithm]\nname = 'classic'\nstrategy = 'best1bim'",
        "78 :7: algorithm.strategy: \"best1bim\" is not one of "
        "best1bin, best1exp, rand1bin, rand1exp, "
        "randtobest1bin, randtobest1exp, currenttobest1bin, "
        "currenttobest1exp, best2bin, best2exp, rand2bin, "
        "rand2exp; did you mean best1bin?"},
       {"[algorithm]\nname = 'classic'\ncrossover_probability = 1.5",
        "78 :7: algorithm.crossover_probability: must be "
        "a number from 0 to 1, not 1.5"},
       {"[algorithm]\nname = 'classic'\ncrossover_probability = nan",
        "78 :7: algorithm.crossover_probability: must be "
        "a number from 0 to 1, not nan"},
       {"[algorithm]\nname = 'classic'\ndifferential_weight = 0",
        "78 :7: algorithm.differential_weight: must be a "
        "number above 0 up to 2, not 0"},
       {"[algorithm]\nname = 'classic'\ndifferential_weight = [0.5, 2.5]",
        "78 :7: algorithm.differential_weight: must "},
       {"[algorithm]\nname = 'classic'\ndifferential_weight = [1, 0.5]",
        "78 :7: algorithm.differential_weight: low (1) "
        "is above high (0.5)"},
       {"[algorithm]\nname = 'classic'\ndifferential_weight = []",
        "78 :7: algorithm.differential_weight: must be a "
        "number or a pair [low, high], not an array of 0"},
       {"[algorithm]\nname = 'classic'\ndifferential_weight = [1,1,1]",
        "78 :7: algorithm.differential_weight: must be "},
       {"[algorithm]\npopulation = 3", "78 :6: algorithm.population: jso needs at least 4 members, not 3"},
       {"[algorithm]\npopulation = 0", "78 :6: algorithm.population: must be an integer from 1 to 1000000, not 0"},
       {"[algorithm]\npopulation = 1_000_001", "78 :6: algorithm.population: must be an integer from 1 to 1000000"},
       {"[algorithm]\npopulation = 99999999999", "78 :6: algorithm.population: must be an integer from 1 to 1000000"},
       {"[algorithm]\npopulation = 10.5",
        "78 :6: algorithm.population: must be an integer from 1 to 1000000, not 10.5"},
       {"[algorithm]\npoplation = 10", "78 :6: unknown key algorithm.poplation; "},
       {"[algorithm]\nbounds = 'bounce'",
        "78 :6: algorithm.bounds: \"bounce\" is not one of midpoint, resample, "
        "reflect, clip"},
       {"[algorithm]\ninitial = 'sobel'",
        "78 :6: algorithm.initial: \"sobel\" is not one of latin_hypercube, sobol, "
        "halton, uniform, file.h5:/path; did you mean sobol?"},
       {"[algorithm]\ninitial = 'a.h5'", "78 :6: algorithm.initial: \"a.h5\" needs the dataset behind its name"},
       {"[algorithm]\ninitial = 5", "78 :6: algorithm.initial: must be a string, not 5"},
       {"[islands]\ncount = 0", "78 :6: islands.count: must be an integer from 1 to 10000000, not 0"},
       {"[islands]\ncount = 10_000_001", "78 :6: islands.count: must be an integer from 1 to 10000000"},
       {"[islands]\ncount = 'many'", "78 :6: islands.count: must be an integer from 1 to 10000000 or \"auto\", not "},
       {"[islands]\ncount = 5000\n[migration]\ntopology = 'complete'",
        "78 :8: migration.topology: complete joins at "
        "most 4096 islands; islands.count is 5000"},
       {"[islands]\npopulation = 5",
        "78 :6: unknown key islands.population; [islands] has count; did you mean "
        "algorithm.population?"},
       {"[migration]\ntopology = 'torus'",
        "78 :6: migration.topology: \"torus\" is not available in this version; "
        "available: unconnected, ring, bidirectional_ring, complete"},
       {"[migration]\ntopology = 'random:4'", "78 :6: migration.topology: \"random:4\" is not available in this"},
       {"[migration]\ntopology = 'edges:e.csv'", "78 :6: migration.topology: \"edges:e.csv\" is not available in"},
       {"[migration]\ntopology = 'rign'",
        "78 :6: migration.topology: \"rign\" is not one of unconnected, ring, "
        "bidirectional_ring, complete; did you mean ring?"},
       {"[migration]\ntopology = ring", "78 :6:12: not a value: text needs quotes (\"ring\")"},
       {"[migration]\ninterval = 0", "78 :6: migration.interval: must be an integer from 1 to"},
       {"[migration]\nfirst = 0", "78 :6: migration.first: must be an integer from 1 to"},
       {"[migration]\nmigrants = 0", "78 :6: migration.migrants: must be an integer from 1 to"},
       {"[migration]\nmigrants = 5e9",
        "78 :6: migration.migrants: must be an integer from 1 to 1000000, not 5000000000"},
       {"[migration]\nselection = 'tournament:3'", "78 :6: migration.selection: \"tournament:3\" is not available in "},
       {"[migration]\nreplacement = 'best'", "78 :6: migration.replacement: \"best\" is not one of worst_if_better, "},
       {"[migration]\nmode = 'asynchronous'",
        "78 :6: migration.mode: \"asynchronous\" is not available in this "
        "version; available: synchronous"}},
      test::small_problem);
}

TEST(DeRefusal, PopulationsTooSmallForTheirStrategy) {
  const std::pair<const char*, int> fewest[] = {{"best1bin", 3},       {"currenttobest1exp", 3}, {"rand1bin", 4},
                                                {"randtobest1exp", 4}, {"best2exp", 5},          {"rand2bin", 6}};
  for (const auto& [strategy, members] : fewest) {
    const auto with = [&, name = strategy](int population) {
      return refusal(fmt::format("{}[algorithm]\nname = 'classic'\nstrategy = '{}'\npopulation = {}\n",
                                 test::small_problem, name, population));
    };

    EXPECT_EQ(with(members), "no error");
    EXPECT_EQ(with(members - 1), fmt::format("78 :8: algorithm.population: {} needs at least {} members, not {}",
                                             strategy, members, members - 1));
  }
}

TEST(DeRefusal, StopAndRun) {
  expect_all(
      {{"[stop]\nevaluations = 0", "78 :6: stop.evaluations: must be an integer from 1 to"},
       {"[stop]\nevaluations = '5'",
        "78 :6: stop.evaluations: must be an integer from 1 to 1000000000000000, not the "
        "string \"5\""},
       {"[stop]\nevaluations = 1e300", "78 :6: stop.evaluations: must be an integer from 1 to"},
       {"[stop]\ngenerations = -1", "78 :6: stop.generations: must be an integer from 0 to"},
       {"[stop]\nvalue_to_reach = nan", "78 :6: stop.value_to_reach: must be a finite number, not nan"},
       {"[stop]\nvalue_to_reach = '1'", "78 :6: stop.value_to_reach: must be a finite number, not the string \"1\""},
       {"[stop]\ntime = 0", "78 :6: stop.time: must be seconds above 0 or a duration (200ms, 90s, 30m, "},
       {"[stop]\ntime = inf", "78 :6: stop.time: must be seconds above 0"},
       {"[stop]\ntime = '5 parsecs'", "78 :6: stop.time: must be seconds above 0"},
       {"[stop]\ntime = 1979-05-27", "78 :6: stop.time: must be seconds above 0"},
       {"[stop]\ntime = true", "78 :6: stop.time: must be seconds above 0"},
       {"[stop]\nstagnation = 0", "78 :6: stop.stagnation: must be an integer from 1 to"},
       {"[stop]\nstagnation = 'soon'", "78 :6: stop.stagnation: must be a number of generations from 1 to"},
       {"[stop]\nstagnation = '5'", "78 :6: stop.stagnation: must be a number of generations from 1 to"},
       {"[stop]\nstagnation = '0 generations'", "78 :6: stop.stagnation: must be a number of generations from 1 to"},
       {"[stop]\ntolerance = 0.01", "78 :6: stop.tolerance: must be { relative = ..., absolute = ... }, not 0.01"},
       {"[stop]\ntolerance = { relative = -1 }", "78 :6: stop.tolerance.relative: must be a finite number from 0, not"},
       {"[stop]\ntolerance = { absolute = nan }",
        "78 :6: stop.tolerance.absolute: must be a finite number from 0, not"},
       {"[stop]\ntolerance = { rel = 1 }", "78 :6: unknown key stop.tolerance.rel; [stop.tolerance] has relative, "},
       {"[stop]\nseconds = 5", "78 :6: unknown key stop.seconds; [stop] has evaluations, generations, "},
       {"[run]\nseed = -1", "78 :6: run.seed: must be an integer from 0 to 18446744073709551615, not -1"},
       {"[run]\nseed = 1.5", "78 :6: run.seed: must be an integer from 0 to 18446744073709551615, not 1.5"},
       {"[run]\nseed = 'x'", "78 :6: run.seed: must be an integer from 0 to 18446744073709551615, not the string"},
       {"[run]\nseed = '18446744073709551616'",
        "78 :6: run.seed: must be an integer from 0 to 18446744073709551615, not 18446744073709551616"},
       {"[run]\nseed = 9223372036854775808",
        "78 :6:27: 9223372036854775808 is beyond the integers of TOML, -9223372036854775808 to 9223372036854775807; a "
        "seed up to 18446744073709551615 may stand in quotes"},
       {"[run]\nseed = 0xFFFFFFFFFFFFFFFF", "78 :6:26: 0xFFFFFFFFFFFFFFFF is beyond the integers of TOML, "},
       {"[run]\nprecision = 'half'", "78 :6: run.precision: \"half\" is not one of double, single"},
       {"[run]\npolish = 'yes'", "78 :6: run.polish: must be true or false, not the string \"yes\""},
       {"[rnu]\nseed = 1",
        "78 :5: unknown key rnu; a file has problem, constants, parameters, algorithm, islands, "
        "migration, stop, run; did you mean run?"},
       {"[[run]]\nseed = 1", "78 :5: run: must be a table, not an array of 1"},
       {"[run]\nseed = ", "78 :6:"},
       {"[run]\nseed = 1\x01", "78 :6:9: control byte 0x01 is not allowed"}},
      test::small_problem);
}

TEST(DeRefusal, AMissingFileIs66) {
  EXPECT_EQ(test::error_of([] { (void)load_de("/no/such/problem.toml", {}); }),
            "66 /no/such/problem.toml: cannot be read: No such file or directory");
}

TEST(DeRefusal, OverridesAreCheckedLikeTheFile) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("problem.toml", test::small_problem);
  const auto with = [&](const std::string& key, const std::string& value, const std::string& origin) {
    return test::error_of([&] { (void)load_de(file, {{key, value, origin}}); });
  };

  EXPECT_EQ(with("parameters.a", "[2, 1]", "--set parameters.a"), "78 --set parameters.a: min (2) is above max (1)");
  EXPECT_EQ(with("run.seed", "x", "--seed"),
            "78 --seed: run.seed: must be an integer from 0 to 18446744073709551615, not the string \"x\"");
  EXPECT_EQ(with("stop.evalutions", "5", "--set stop.evalutions"),
            "78 --set stop.evalutions: unknown key stop.evalutions; [stop] has evaluations, generations, "
            "value_to_reach, time, stagnation, tolerance; did you mean evaluations?");
  EXPECT_EQ(with("run", "5", "--set run"), "78 --set run: must be a table, not 5");
}

}  // namespace
}  // namespace atl::config
