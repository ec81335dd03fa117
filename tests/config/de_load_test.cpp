#include <gtest/gtest.h>

#include "config/de_settings.hpp"
#include "config/good_problem.hpp"
#include "scratch.hpp"

namespace atl::config {
namespace {

using test::ScratchFolder;

LoadedDe load(const std::string& text, const std::vector<Override>& overrides = {}) {
  const ScratchFolder folder;
  return load_de(folder.write("problem.toml", text), overrides);
}

Override set(const std::string& key, const std::string& value) {
  return {key, value, "--set " + key};
}

/// Every setting as text, but for the places: equal texts are equal settings.
std::string dump(const DeSettings& settings) {
  const auto& [file, problem, algorithm, islands, migration, stop, run] = settings;
  std::string text =
      fmt::format("{} {} data={} target={} loss={}:{} weight={} columns={}\n", static_cast<int>(problem.kind),
                  problem.text, problem.data, problem.target, name_of(problem.loss), problem.loss_scale, problem.weight,
                  fmt::join(problem.columns, ","));
  for (const Constant& constant : problem.constants) text += fmt::format("{}={}\n", constant.name, constant.value);
  for (const Parameter& p : problem.parameters) {
    text += fmt::format("{} [{}, {}] log={} integer={} value={} size={} start={}\n", p.name, p.min, p.max, p.log_scale,
                        p.integer, p.value ? fmt::format("{}", *p.value) : "free", p.size, fmt::join(p.start, ","));
  }
  text +=
      fmt::format("{} NP={} {} {}:{} {} F={} CR={} schedule={}\n", name_of(algorithm.name),
                  algorithm.population.value_or(0), name_of(algorithm.bounds), name_of(algorithm.initial),
                  algorithm.initial_file, name_of(algorithm.strategy), fmt::join(algorithm.differential_weight, ","),
                  algorithm.crossover_probability, algorithm.schedule_evaluations.value_or(0));
  text += fmt::format("{} {}\n", islands.count, islands.automatic);
  text += fmt::format("{} {} {} {} {} {}\n", name_of(migration.topology), migration.interval, migration.first,
                      migration.migrants, name_of(migration.selection), name_of(migration.replacement));
  text += fmt::format("{} {} {} {} {} {} {}\n", stop.evaluations.value_or(-1), stop.generations.value_or(-1),
                      stop.value_to_reach.value_or(1e99), stop.seconds.value_or(-1), stop.stagnation.value_or(-1),
                      stop.tolerance_relative, stop.tolerance_absolute);
  return text + fmt::format("{} {} {}\n", run.seed, name_of(run.precision), run.polish);
}

TEST(LoadDe, EveryKeyArrivesInTheSettings) {
  const ScratchFolder folder;

  const DeSettings settings = load_de(folder.write("problem.toml", test::good_problem), {}).settings;

  EXPECT_EQ(dump(settings), "0 k * a1*x1 + a0 + p[0] data=" + folder / "tables.h5" +
                                ":/group/set target=y loss=huber:1.5 weight=w columns=x1,y,w\n"
                                "k=2\ntiny=1e-09\n"
                                "zeta [-20, 20] log=false integer=false value=free size=0 start=\n"
                                "a1 [-20, 20] log=false integer=false value=free size=0 start=\n"
                                "a0 [1e-09, 1000] log=true integer=false value=free size=0 start=1\n"
                                "n [0, 7] log=false integer=true value=free size=0 start=3\n"
                                "c [3.5, 3.5] log=false integer=false value=3.5 size=0 start=\n"
                                "d [2, 2] log=false integer=false value=2 size=0 start=\n"
                                "p [-5, 5] log=false integer=false value=free size=3 start=1,2,3.5\n"
                                "q [0, 1] log=false integer=false value=free size=2 start=0.2\n"
                                "v [1, 1] log=false integer=false value=1 size=4 start=\n"
                                "b [-1, 1] log=false integer=false value=free size=0 start=\n"
                                "last [0, 1] log=false integer=false value=free size=0 start=\n"
                                "classic NP=128 reflect file:" +
                                folder / "start.h5" +
                                ":/x rand2exp F=0.4,0.9 CR=0.25 schedule=0\n"
                                "16 false\n"
                                "bidirectional_ring 20 200 2 random worst\n"
                                "80000 1000 -1.5 41400 50 0.01 1e-06\n"
                                "42 single false\n");
  EXPECT_EQ(settings.file, folder / "problem.toml");
}

TEST(LoadDe, PlacesAreThoseOfTheValues) {
  const ScratchFolder folder;
  const std::string file = folder.write("problem.toml", test::good_problem);

  const DeSettings settings = load_de(file, {set("problem.target", "x1")}).settings;

  EXPECT_EQ(settings.problem.where.text(), file + ":3:11");
  EXPECT_EQ(settings.problem.data_where.text(), file + ":4");
  EXPECT_EQ(settings.problem.target_where.text(), "--set problem.target");
  EXPECT_EQ(settings.problem.constants[1].where.text(), file + ":12");
  EXPECT_EQ(settings.problem.parameters[0].where.text(), file + ":15");
  EXPECT_EQ(settings.problem.parameters.back().where.text(), file + ":26");
  EXPECT_EQ(settings.algorithm.population_where.text(), file + ":32");
}

TEST(LoadDe, DefaultsAreThoseOfTheManual) {
  const LoadedDe loaded = load(test::small_problem);

  EXPECT_EQ(dump(loaded.settings),
            "2 sphere data= target= loss=absolute:1 weight= columns=\n"
            "a [-1, 1] log=false integer=false value=free size=0 start=\n"
            "jso NP=0 midpoint latin_hypercube: best1bin F=0.5,1 CR=0.7 schedule=0\n"
            "64 false\n"
            "ring 50 50 1 best worst_if_better\n"
            "-1 -1 1e+99 -1 -1 0 0\n"
            "1 double true\n");
  EXPECT_EQ(loaded.toml(),
            "[problem]\nbenchmark = \"sphere\"\n\n"
            "[parameters]\na = { min = -1.0, max = 1.0 }\n\n"
            "[algorithm]\nname = \"jso\"\nbounds = \"midpoint\"\ninitial = \"latin_hypercube\"\n\n"
            "[islands]\ncount = 64\n\n"
            "[migration]\ntopology = \"ring\"\ninterval = 50\nfirst = 50\nmigrants = 1\nselection = \"best\"\n"
            "replacement = \"worst_if_better\"\nmode = \"synchronous\"\n\n"
            "[run]\nseed = 1\nprecision = \"double\"\npolish = true\n");
}

TEST(LoadDe, ClassicResamplesAndTheFirstMigrationFollowsTheInterval) {
  const DeSettings settings =
      load(test::small_problem, {set("algorithm.name", "classic"), set("migration.interval", "7")}).settings;

  EXPECT_EQ(settings.algorithm.bounds, Bounds::resample);
  EXPECT_EQ(settings.migration.first, 7);
}

TEST(LoadDe, TheEffectiveTomlReadsBackToEqualSettings) {
  const std::vector<Override> every_override[] = {
      {},
      {set("run.seed", "18446744073709551615"), set("islands.count", "auto")},
      {set("problem", "{objective = 'f.cl', data = 't.csv'}"), set("algorithm", "{schedule_evaluations = 900}")},
      {set("problem", "{benchmark = 'levy'}"), set("constants", "{}"), set("stop.tolerance", "{absolute = 0.1}")},
      {set("parameters.p", "{min = 0, max = 1, size = 1, start = [0.5]}"), set("stop.time", "0.1")}};

  for (const std::vector<Override>& overrides : every_override) {
    const LoadedDe first = load(test::good_problem, overrides);

    const LoadedDe second = load(first.toml());

    // Paths that began relative come back absolute; nothing else may change.
    EXPECT_EQ(second.toml(), first.toml());
    const std::string here = std::filesystem::current_path().string() + "/";
    std::string expected = dump(first.settings);
    for (const std::string name : {"f.cl", "t.csv"}) {
      const std::size_t place = expected.find(name);
      if (place != std::string::npos && expected[place - 1] != '/') expected.insert(place, here);
    }
    EXPECT_EQ(dump(second.settings), expected);
  }
}

TEST(LoadDe, EveryKeyTellsItsOrigin) {
  const ScratchFolder folder;
  const std::string file = folder.write("p.toml", test::small_problem);

  const LoadedDe loaded = load_de(file, {set("stop.generations", "5"), {"run.seed", "7", "--seed"}});

  std::string listing;
  for (const auto& [key, value, origin] : loaded.effective) listing += fmt::format("{} {} {}\n", key, value, origin);
  EXPECT_NE(listing.find("problem.benchmark \"sphere\" " + file + ":2\n"), std::string::npos) << listing;
  EXPECT_NE(listing.find("parameters.a { min = -1.0, max = 1.0 } " + file + ":4\n"), std::string::npos) << listing;
  EXPECT_NE(listing.find("islands.count 64 default\n"), std::string::npos) << listing;
  EXPECT_NE(listing.find("stop.generations 5 --set stop.generations\n"), std::string::npos) << listing;
  EXPECT_NE(listing.find("run.seed 7 --seed\n"), std::string::npos) << listing;
}

TEST(LoadDe, OverridesReplaceInPlaceAndAddAtTheEnd) {
  const DeSettings settings = load("[problem]\nbenchmark = 'sphere'\n[parameters]\nz = [-1, 1]\ny = [-1, 1]\n",
                                   {set("parameters.z", "[0, 2]"), set("parameters.a", "[0, 3]"),
                                    set("parameters.y", "{min = 1, max = 2, integer = true}")})
                                  .settings;

  ASSERT_EQ(settings.problem.parameters.size(), 3U);
  EXPECT_EQ(settings.problem.parameters[0].name, "z");
  EXPECT_EQ(settings.problem.parameters[0].max, 2);
  EXPECT_TRUE(settings.problem.parameters[1].integer);
  EXPECT_EQ(settings.problem.parameters[2].name, "a");
  EXPECT_EQ(settings.problem.parameters[2].where.text(), "--set parameters.a");
}

TEST(LoadDe, TimesAndStagnationTakeTheirForms) {
  const auto stop = [](const std::string& key, const std::string& value) {
    return load(test::small_problem, {set("stop." + key, value)}).settings.stop;
  };

  EXPECT_EQ(stop("time", "90s").seconds, 90);
  EXPECT_EQ(stop("time", "0.25").seconds, 0.25);
  EXPECT_EQ(stop("time", "01:30:00").seconds, 5400);  // TOML reads a time of day
  EXPECT_EQ(stop("time", "2-00:00:00").seconds, 172800);
  EXPECT_EQ(stop("stagnation", "30").stagnation, 30);
  EXPECT_EQ(stop("stagnation", "1 generation").stagnation, 1);
  EXPECT_EQ(stop("generations", "0").generations, 0);
}

TEST(LoadDe, AHundredThousandEntriesAreReadAndOneMoreIsRefused) {
  std::string text = "[problem]\nbenchmark = 'sphere'\n[parameters]\n";
  for (int i = 0; i < 50000; ++i) text += fmt::format("p{} = [-1, {}]\n", i, i + 1);

  const DeSettings settings = load(text + "q = { min = 0, max = 1, size = 50000 }\n").settings;
  const std::string error = test::error_of([&] { (void)load(text + "q = { min = 0, max = 1, size = 50001 }\n"); });

  EXPECT_EQ(settings.problem.parameters.size(), 50001U);
  EXPECT_EQ(settings.problem.parameters[49999].max, 50000);
  EXPECT_NE(error.find("problem.toml:50004: parameters.q: there are at most 100000 entries of x"), std::string::npos)
      << error;
}

TEST(LoadDe, EveryExampleOfTheTreeLoads) {
  int examples = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PROJECT_ROOT "data")) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (text.find("[sweep]") != std::string::npos) continue;
    ++examples;

    EXPECT_EQ(test::error_of([&] { (void)load_de(entry.path().string(), {}); }), "no error");
  }
  EXPECT_GE(examples, 3);
}

}  // namespace
}  // namespace atl::config
