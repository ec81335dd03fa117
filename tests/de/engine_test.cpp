#include "de/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "de/engine_case.hpp"
#include "de/every_device.hpp"

namespace atl::de {
namespace {

using config::Bounds;
using config::Initial;
using config::Strategy;
using sample::box;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// What the test objective does beside its valley.
enum class Oddity { none, stairs, nan, inf, sparse };

/// A Rosenbrock valley in + - * only; `stairs` makes ties, `nan` and `inf` take a part of the box away,
/// `sparse` most of it.
std::string valley_file(Oddity oddity) {
  const char* const heads[] = {"", "", "  if (x[0] < 0) return NAN;\n", "  if (x[0] < 0) return INFINITY;\n",
                               "  if (x[0] < 1.25) return NAN;\n"};
  const char* const ends[] = {"sum", "floor(sum)", "sum", "sum", "sum"};
  const char* const names[] = {"plain.cl", "stairs.cl", "nan.cl", "inf.cl", "sparse.cl"};
  const auto which = static_cast<std::size_t>(oddity);
  return sample::file(names[which], fmt::format("real objective(const real *x) {{\n{}"
                                                "  real sum = 0;\n"
                                                "  for (int k = 0; k < ATOLL_DIMENSION; ++k) {{\n"
                                                "    const real away = x[k] - (real)0.75;\n"
                                                "    sum = sum + away * away;\n"
                                                "    if (k + 1 < ATOLL_DIMENSION) {{\n"
                                                "      const real valley = x[k + 1] - x[k] * x[k];\n"
                                                "      sum = sum + 16 * valley * valley;\n"
                                                "    }}\n"
                                                "  }}\n"
                                                "  return {};\n"
                                                "}}\n",
                                                heads[which], ends[which]));
}

HostObjective valley(Oddity oddity) {
  return [oddity](std::span<const double> x) {
    if (oddity == Oddity::nan && x[0] < 0) return not_a_number;
    if (oddity == Oddity::inf && x[0] < 0) return infinity;
    if (oddity == Oddity::sparse && x[0] < 1.25) return not_a_number;
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double away = x[k] - 0.75;
      sum = sum + away * away;
      if (k + 1 < x.size()) {
        const double bend = x[k + 1] - x[k] * x[k];
        sum = sum + 16 * bend * bend;
      }
    }
    return oddity == Oddity::stairs ? std::floor(sum) : sum;
  };
}

EngineCase valley_case(const std::string& name, int dimension, int members, Oddity oddity = Oddity::none) {
  EngineCase result{name, sample::objective(valley_file(oddity), {box("p", -2, 1.5)}), valley(oddity)};
  result.settings.problem.parameters[0].size = dimension;
  result.settings.algorithm.population = members;
  result.settings.run.seed = 20260729;
  return result;
}

EngineCase classic_case(Strategy strategy, int dimension, int members, Bounds bounds, Initial initial,
                        Oddity oddity = Oddity::none) {
  EngineCase result = valley_case(config::name_of(strategy), dimension, members, oddity);
  auto& algorithm = result.settings.algorithm;
  algorithm.name = config::AlgorithmName::classic;
  algorithm.strategy = strategy;
  algorithm.bounds = bounds;
  algorithm.initial = initial;
  return result;
}

EngineCase with(EngineCase result, std::array<double, 2> differential_weight, double crossover_probability,
                std::int64_t first_island, std::int64_t islands) {
  result.settings.algorithm.differential_weight = differential_weight;
  result.settings.algorithm.crossover_probability = crossover_probability;
  result.first_island = first_island;
  result.islands = islands;
  return result;
}

EngineCase jso_case(const std::string& name, int dimension, int members, std::int64_t budget,
                    Oddity oddity = Oddity::none) {
  EngineCase result = valley_case(name, dimension, members, oddity);
  result.settings.stop.evaluations = budget;
  return result;
}

class EngineOnDevices : public EveryDevice {
 protected:
  void expect_same_on_every_device(const EngineCase& engine_case, std::int64_t generations,
                                   std::optional<char> shape = std::nullopt) const {
    const Prepared prepared(engine_case);
    for (const auto& device : devices) expect_same_search(prepared, device, prepared.plan(device, shape), generations);
  }
};

// Every strategy once, every other choice several times: bounds, first populations, F and CR, sizes, island ids.
TEST_F(EngineOnDevices, EveryStrategyEqualsTheSerialReferenceGenerationByGeneration) {
  using enum Strategy;
  using enum Bounds;
  const auto lhs = Initial::latin_hypercube;
  std::vector<EngineCase> cases = {
      with(classic_case(best1bin, 2, 16, resample, lhs), {0.5, 1}, 0.7, 0, 3),
      with(classic_case(best1exp, 8, 31, clip, Initial::sobol), {0.8, 0.8}, 0.9, 5, 2),
      with(classic_case(rand1bin, 8, 33, reflect, Initial::halton), {0.5, 1}, 0.3, 0, 1),
      with(classic_case(rand1exp, 1, 5, midpoint, Initial::uniform), {0, 2}, 0.5, 1000000, 5),
      with(classic_case(randtobest1bin, 40, 147, resample, Initial::uniform), {0.5, 0.9}, 0.9, 0, 1),
      with(classic_case(randtobest1exp, 40, 16, reflect, lhs), {0.5, 1}, 1, 2, 2),
      with(classic_case(currenttobest1bin, 2, 31, midpoint, Initial::sobol, Oddity::nan), {0.5, 1}, 0.7, 0, 2),
      with(classic_case(currenttobest1exp, 8, 5, clip, Initial::file), {0.5, 1}, 0.2, 3, 2),
      with(classic_case(best2bin, 2, 33, reflect, Initial::uniform, Oddity::stairs), {0.9, 0.9}, 1, 0, 1),
      with(classic_case(best2exp, 8, 16, resample, lhs), {0.3, 1.9}, 0.8, 7, 1),
      with(classic_case(rand2bin, 8, 147, clip, Initial::halton, Oddity::inf), {0.5, 1}, 0, 0, 1),
      with(classic_case(rand2exp, 3, 16, midpoint, lhs, Oddity::stairs), {0.5, 1}, 0.7, 1, 3)};
  for (std::size_t at = 0; at < std::size_t{2} * 5 * 8; ++at)
    cases[7].given.push_back(-2 + 0.043 * static_cast<double>(at * at % 79));
  cases[2].settings.problem.parameters[0].start = {0.5, -1, 0.25, 0, 1, 0.125, -0.5, 0.75};
  for (auto& parameter : cases[11].settings.problem.parameters) parameter.integer = true;
  cases[0].settings.stop.value_to_reach = 0.5;
  cases[10].settings.stop.value_to_reach = 100;
  for (const EngineCase& engine_case : cases) expect_same_on_every_device(engine_case, 60);
}

TEST_F(EngineOnDevices, JsoEqualsTheSerialReferenceDownToFourMembersAndBeyondItsSchedule) {
  std::vector<EngineCase> cases = {jso_case("small", 2, 18, 1500),
                                   jso_case("nan", 8, 147, 8000, Oddity::nan),
                                   jso_case("stairs", 40, 33, 3000, Oddity::stairs),
                                   jso_case("tiny", 1, 5, 300),
                                   jso_case("inf", 8, 31, 3000, Oddity::inf),
                                   jso_case("sparse", 3, 18, 400, Oddity::sparse)};
  cases[0].islands = 3;
  cases[0].settings.stop.value_to_reach = 0.01;
  cases[1].settings.algorithm.initial = Initial::sobol;
  cases[2].settings.algorithm.bounds = Bounds::reflect;
  cases[2].first_island = 7;
  cases[2].islands = 2;
  cases[3].settings.algorithm.bounds = Bounds::clip;
  cases[3].islands = 5;
  cases[4].settings.algorithm.bounds = Bounds::resample;
  cases[4].settings.algorithm.schedule_evaluations = 2000;  // the last third is behind it
  for (const EngineCase& engine_case : cases) {
    expect_same_on_every_device(engine_case, 100'000);

    const Prepared prepared(engine_case);
    reference::Search serial = prepared.serial();
    serial.initialize();
    while (!serial.exhausted()) serial.advance(1);
    EXPECT_EQ(serial.islands[0].island.population.size(), 4);
    EXPECT_EQ(serial.islands[0].island.evaluations, *engine_case.settings.stop.evaluations);
  }
}

// A generation whose successes all had CR = 0 takes its slot below 0, which gives CR = 0 until later means lift it.
TEST_F(EngineOnDevices, JsoKeepsASlotOfTerminalCrossoverAsTheReferenceDoes) {
  const std::string text =
      "real objective(const real *x) {\n"
      "  real sum = 0;\n"
      "  for (int k = 0; k < ATOLL_DIMENSION; ++k) {\n"
      "    const real away = x[k] - (real)0.75, wave = x[k] * 8 - floor(x[k] * 8);\n"
      "    sum = sum + (away * away + (wave < (real)0.5 ? wave : 1 - wave));\n"
      "  }\n"
      "  return sum;\n"
      "}\n";
  EngineCase engine_case = jso_case("waves", 8, 18, 6000);
  engine_case.settings.problem.text = sample::file("waves.cl", text);
  engine_case.objective = [](std::span<const double> x) {
    double sum = 0;
    for (const double value : x) {
      const double away = value - 0.75, wave = value * 8 - std::floor(value * 8);
      sum = sum + (away * away + (wave < 0.5 ? wave : 1 - wave));
    }
    return sum;
  };
  engine_case.settings.run.seed = 2;  // found by trying: one in hundreds gets there
  expect_same_on_every_device(engine_case, 100'000);

  const Prepared prepared(engine_case);
  reference::Search serial = prepared.serial();
  serial.initialize();
  int generations_below_zero = 0;
  for (; !serial.exhausted(); serial.advance(1)) {
    const auto& memory = std::get<reference::Jso>(serial.islands[0].algorithm).memory_cr;
    generations_below_zero += std::ranges::any_of(memory, [](double slot) { return slot < 0; }) ? 1 : 0;
  }
  EXPECT_GT(generations_below_zero, 50);
}

TEST_F(EngineOnDevices, EveryShapeAndGroupGivesTheBitsOfTheSerialReference) {
  const Prepared jso(jso_case("jso", 8, 147, 4000, Oddity::nan));
  const Prepared classic(
      with(classic_case(Strategy::rand1exp, 3, 147, Bounds::resample, Initial::uniform), {0.5, 1}, 0.7, 0, 2));
  const auto a = Shape::island_a_group, b = Shape::member_a_group;
  for (const auto& device : devices) {
    expect_same_search(jso, device, jso.plan(device, 'B'), 25, "B");
    expect_same_search(classic, device, classic.plan(device, 'B'), 10, "B");
    expect_same_search(jso, device, jso.group_plan(a, 32, true), 20, "A 32 local");
    expect_same_search(jso, device, jso.group_plan(b, 64, false), 25, "B 64");
    // PoCL 3.1 miscompiles wide groups and barriers behind a uniform branch, which its own plans do without. Oclgrind
    // runs these groups with the right bits and sees no race.
    if (device.info.platform_name == "Portable Computing Language") {
      fmt::print("not on PoCL: island groups of 64 and 160 work-items\n");
      continue;
    }
    expect_same_search(jso, device, jso.group_plan(a, 64, false), 25, "A 64 global");
    expect_same_search(jso, device, jso.group_plan(a, 160, !device.info.gpu), 25, "A 160");
    expect_same_search(classic, device, classic.group_plan(a, 160, true), 10, "A 160 local");
    expect_same_search(classic, device, classic.group_plan(a, 64, false), 10, "A 64 global");
  }
}

TEST_F(EngineOnDevices, TheBudgetIsExactAndItsLastGenerationTakesTheFirstMembers) {
  for (const bool classic : {true, false}) {
    EngineCase engine_case = jso_case("47 evaluations", 2, 10, 47);
    if (classic) engine_case.settings.algorithm.name = config::AlgorithmName::classic;
    const Prepared prepared(engine_case);
    for (const auto& device : devices) {
      expect_same_search(prepared, device, prepared.plan(device, 'A'), 1000);
      expect_same_search(prepared, device, prepared.plan(device, 'B'), 1000);
    }
    reference::Search serial = prepared.serial();
    serial.initialize();
    while (!serial.exhausted()) serial.advance(1);
    EXPECT_EQ(serial.islands[0].island.evaluations, 47);
  }
}

TEST_F(EngineOnDevices, ABudgetBelowThePopulationEvaluatesTheFirstMembersOnly) {
  const Prepared prepared(jso_case("7 of 10", 2, 10, 7));
  for (const auto& device : devices) {
    Engine engine = prepared.engine(device, prepared.plan(device));
    engine.initialize();

    const auto energies = engine.download().energies;

    ASSERT_EQ(energies.size(), 10);
    for (std::size_t m = 0; m < 10; ++m) EXPECT_EQ(std::isfinite(energies[m]), m < 7) << m;
    EXPECT_TRUE(engine.schedule().exhausted());
    EXPECT_EQ(engine.schedule().evaluations(), 7);
    EXPECT_EQ(engine.counters()[0].inf, 0);  // what was not evaluated is not counted
    expect_same_search(prepared, device, prepared.plan(device), 0);
  }
}

TEST_F(EngineOnDevices, LogScaleSearchesTheLogarithmByTheSameRules) {
  auto settings = sample::benchmark("sphere", 1, -5, 5);
  settings.problem.parameters.push_back(box("k", 1e-3, 1e3));
  settings.problem.parameters[1].log_scale = true;
  settings.problem.parameters[1].start = {2.5};
  settings.algorithm.population = 16;
  settings.stop.evaluations = 500;
  const Prepared prepared({"log", settings, {}});
  const HostObjective host = host_objective(prepared.problem());
  for (const auto& device : devices) {
    Engine engine = prepared.engine(device, prepared.plan(device));
    engine.initialize();
    // exp() is the device's own, so the reference asks the device for energies.
    reference::Search expected = prepared.serial([&](const reference::Point& u) {
      const double value = engine.evaluate(u).front();
      const double on_host = host(decode(prepared.problem(), u));
      EXPECT_NEAR(value, on_host, 1e-12 * on_host);
      return value;
    });
    expected.initialize();

    for (int generation = 0; generation < 25; ++generation) {
      ASSERT_EQ(difference(engine, expected), "");
      engine.advance(1);
      expected.advance(1);
    }
  }
}

/// A table of `rows` rows with the columns x1 and y.
std::string table(std::size_t rows) {
  std::string text = "x1,y\n";
  for (std::size_t row = 0; row < rows; ++row)
    text +=
        fmt::format("{},{}\n", 0.01 * static_cast<double>(row * row % 211) - 1, 0.02 * static_cast<double>(row % 97));
  return sample::file(fmt::format("rows{}.csv", rows), text);
}

// Tables up to 64 rows are literals of the program, longer ones a buffer; in shape B the work-items of a group share
// it.
TEST_F(EngineOnDevices, TablesOfAnyLengthGiveTheHostsBitsInBothShapes) {
  for (const std::size_t rows : {27U, 64U, 65U, 100U, 1000U}) {
    EngineCase engine_case{
        fmt::format("{} rows", rows),
        sample::model("(a*x1 + b)*x1 + c", table(rows), {box("a", -3, 3), box("b", -3, 3), box("c", -3, 3)}),
        {}};
    engine_case.settings.algorithm.population = 19;
    engine_case.settings.stop.evaluations = 400;
    const Prepared prepared(engine_case);
    for (const auto& device : devices) {
      expect_same_search(prepared, device, prepared.plan(device, 'A'), 12, "A");
      if (rows == 100) expect_same_search(prepared, device, prepared.plan(device, 'B'), 12, "B");
      if (rows == 64 || rows == 1000)
        expect_same_search(prepared, device, prepared.group_plan(Shape::member_a_group, 32, false, 64), 12, "B 64");
    }
  }
}

TEST_F(EngineOnDevices, StatisticsAreThoseOfTheFiniteEnergies) {
  for (const Oddity oddity : {Oddity::nan, Oddity::inf, Oddity::stairs}) {
    EngineCase engine_case = jso_case("statistics", 2, 147, 100'000, oddity);
    engine_case.islands = 3;
    const Prepared prepared(engine_case);
    for (const auto& device : devices) {
      Engine engine = prepared.engine(device, prepared.plan(device));
      engine.initialize();
      reference::Search expected = prepared.serial();
      expected.initialize();

      const auto statistics = engine.statistics();

      ASSERT_EQ(statistics.size(), 3);
      for (std::size_t i = 0; i < 3; ++i) {
        const auto& energies = expected.islands[i].island.energies;
        double sum = 0, squares = 0, finite = 0;
        for (const double e : energies)
          if (std::isfinite(e)) sum += e, finite += 1;
        for (const double e : energies)
          if (std::isfinite(e)) squares += (e - sum / finite) * (e - sum / finite);
        const std::size_t best = reference::ranking(energies).front();
        EXPECT_EQ(statistics[i].best_member, static_cast<int>(best));
        EXPECT_EQ(statistics[i].best, energies[best]);
        EXPECT_EQ(statistics[i].finite, static_cast<std::int64_t>(finite));
        EXPECT_NEAR(statistics[i].mean, sum / finite, 1e-12 * sum / finite);
        EXPECT_NEAR(statistics[i].std, std::sqrt(squares / finite), 1e-10 * sum / finite);
      }
    }
  }
}

TEST_F(EngineOnDevices, AnIslandIsTheSameWhateverIslandsLieBesideIt) {
  EngineCase alone = jso_case("alone", 2, 18, 2000);
  alone.first_island = 4;
  EngineCase among = jso_case("among", 2, 18, 2000);
  among.first_island = 2;
  among.islands = 5;
  const Prepared one(alone), five(among);
  for (const auto& device : devices) {
    Engine single = one.engine(device, one.plan(device)), many = five.engine(device, five.plan(device));
    for (Engine* engine : {&single, &many}) {
      engine->initialize();
      engine->advance(30);
    }

    const auto expected = single.download(), all = many.download();

    const std::size_t values = expected.points.size();
    EXPECT_EQ(std::vector(all.points.begin() + 2 * values, all.points.begin() + 3 * values), expected.points);
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_NE(std::vector(all.points.begin() + i * values, all.points.begin() + (i + 1) * values),
                  std::vector(all.points.begin() + j * values, all.points.begin() + (j + 1) * values));
  }
}

TEST_F(EngineOnDevices, SinglePrecisionSearchesAsWell) {
  for (const bool classic : {true, false}) {
    EngineCase engine_case = jso_case("single", 4, 40, 12'000);
    engine_case.settings.run.precision = config::Precision::real32;
    if (classic) engine_case.settings.algorithm.name = config::AlgorithmName::classic;
    engine_case.settings.algorithm.bounds = classic ? Bounds::resample : Bounds::midpoint;
    const Prepared prepared(engine_case);
    const HostObjective host = valley(Oddity::none);
    for (const auto& device : devices) {
      Engine engine = prepared.engine(device, prepared.plan(device));
      engine.initialize();
      const double before = engine.statistics()[0].best;

      while (!engine.schedule().exhausted()) engine.advance(1);

      const auto last = engine.statistics()[0];
      EXPECT_LT(last.best, 1e-2 * before);
      EXPECT_NEAR(last.best, host(decode(prepared.problem(), engine.member(0, last.best_member))), 1e-4);
    }
  }
}

}  // namespace
}  // namespace atl::de
