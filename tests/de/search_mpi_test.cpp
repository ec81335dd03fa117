// Whole searches on any number of ranks give the bits of the serial reference with its own serial migration.
#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/mpi_main.hpp"
#include "de/host_objective.hpp"
#include "de/run.hpp"
#include "de/sample_problem.hpp"
#include "de/search_reference.hpp"
#include "device/placement.hpp"

namespace atl::de {
namespace {

using config::Replacement;
using config::Selection;
using config::Topology;
using reference::better;
using reference::Migrant;
using reference::Point;
using reference::SearchedIsland;

config::DeSettings sphere_settings(config::AlgorithmName algorithm, std::int64_t islands) {
  auto settings = sample::benchmark("sphere", 3, -4, 5);
  settings.problem.parameters[0].start = {1.5};
  settings.algorithm.name = algorithm;
  settings.algorithm.population = 13;
  settings.islands.count = islands;
  settings.migration.interval = 5;
  settings.migration.first = 7;
  settings.stop.evaluations = 403;  // 31 generations of classic
  settings.run.seed = 7;
  settings.run.polish = false;
  return settings;
}

/// The ranks of this test, each with the device that a user's rank would get.
class SearchOnRanks : public testing::Test {
 protected:
  void SetUp() override {
    device::share_cpu(2, communicator.node_size());
    const auto devices = device::list_devices();
    bool gpu = false;
    for (const auto& info : devices) gpu = gpu || (info.gpu && info.unusable.empty());
    const auto selected = device::select(devices, "", gpu);
    device = device::open(device::device_of_rank(selected, communicator.node_rank()));
  }

  [[nodiscard]] RunOutcome search(const config::DeSettings& settings) const {
    return run({settings, {}}, make_problem(settings), {}, device, communicator);
  }

  cluster::Communicator communicator;
  device::Device device;
};

/// The serial search with all that it leaves.
struct Serial {
  std::vector<SearchedIsland> islands;
  std::vector<Migrant> migrations;
  std::vector<std::int64_t> report_generations;
  std::vector<double> report_bests;  // of each island, report by report
};

double best_of(const reference::Island& island) {
  return island.energies[reference::ranking(island.energies).front()];
}

/// Exchanges fall on first, first + interval, ...; the last generation of a search has none any more.
Serial search_serially(const config::DeSettings& settings) {
  const Problem problem = make_problem(settings);
  const HostObjective host = host_objective(problem);
  reference::Search search(
      problem, settings, plan_island(settings, problem), [&](const Point& u) { return host(decode(problem, u)); }, 0,
      settings.islands.count);
  search.initialize();
  Serial result;
  for (std::int64_t generation = 0;; ++generation) {
    if (generation > 0) search.advance(1);
    const bool over = search.exhausted() || (settings.stop.generations && generation >= *settings.stop.generations);
    const std::int64_t behind = generation - settings.migration.first;
    const bool connected = settings.migration.topology != Topology::unconnected;
    const bool due = connected && generation > 0 && behind >= 0 && behind % settings.migration.interval == 0;
    const bool interval = generation % settings.migration.interval == 0 && (!connected || behind < 0);
    if (over || due || interval) {
      result.report_generations.push_back(generation);
      for (const SearchedIsland& searched : search.islands) result.report_bests.push_back(best_of(searched.island));
    }
    if (over) break;
    if (due && settings.islands.count > 1)
      for (Migrant& migrant : search.migrate()) result.migrations.push_back(std::move(migrant));
  }
  result.islands = search.islands;
  return result;
}

void expect_same_populations(const store::DeResult& result, const Serial& serial) {
  ASSERT_EQ(result.islands, serial.islands.size());
  ASSERT_EQ(result.members, serial.islands[0].island.population.size());
  const std::size_t dimension = result.dimension;
  for (std::size_t i = 0; i < result.islands; ++i) {
    const reference::Island& island = serial.islands[i].island;
    const std::size_t winner = reference::ranking(island.energies).front();
    EXPECT_EQ(result.island_fun[i], island.energies[winner]) << "island " << i;
    EXPECT_EQ(result.island_nfev[i], island.evaluations);
    for (std::size_t m = 0; m < result.members; ++m) {
      const std::size_t row = i * result.members + m;
      EXPECT_EQ(result.population_energies[row], island.energies[m]) << "island " << i << ", member " << m;
      for (std::size_t k = 0; k < dimension; ++k)
        EXPECT_EQ(result.population[row * dimension + k], island.population[m][k])
            << "island " << i << ", member " << m;
    }
    for (std::size_t k = 0; k < dimension; ++k)
      EXPECT_EQ(result.island_x[i * dimension + k], island.population[winner][k]);
  }
}

void expect_same_best(const store::DeResult& result, const Serial& serial) {
  std::size_t winner = 0;
  for (std::size_t i = 1; i < serial.islands.size(); ++i)
    if (better(best_of(serial.islands[i].island), best_of(serial.islands[winner].island))) winner = i;
  const reference::Island& island = serial.islands[winner].island;
  EXPECT_EQ(result.fun, best_of(island));
  EXPECT_EQ(result.x, island.population[reference::ranking(island.energies).front()]);
}

void expect_same_history(const store::DeResult& result, const Serial& serial) {
  EXPECT_EQ(result.history_generation, serial.report_generations);
  EXPECT_EQ(result.history_island_best, serial.report_bests);
  EXPECT_EQ(result.nit, serial.report_generations.back());
  const std::size_t islands = serial.islands.size();
  for (std::size_t row = 0; row < result.history_best.size(); ++row) {
    const auto* bests = serial.report_bests.data() + row * islands;
    EXPECT_EQ(result.history_best[row], *std::min_element(bests, bests + islands));
  }
}

void expect_same_migrations(const store::DeResult& result, const Serial& serial) {
  ASSERT_EQ(result.migration_generation.size(), serial.migrations.size());
  EXPECT_EQ(result.migrations_accepted, static_cast<std::int64_t>(serial.migrations.size()));
  for (std::size_t at = 0; at < serial.migrations.size(); ++at) {
    const Migrant& migrant = serial.migrations[at];
    EXPECT_EQ(result.migration_generation[at], migrant.generation) << at;
    EXPECT_EQ(result.migration_source[at], migrant.source) << at;
    EXPECT_EQ(result.migration_destination[at], migrant.destination) << at;
    EXPECT_EQ(result.migration_energy[at], migrant.energy) << at;
    const auto row = result.migration_x.begin() + static_cast<std::ptrdiff_t>(at * result.dimension);
    EXPECT_EQ(Point(row, row + static_cast<std::ptrdiff_t>(result.dimension)), migrant.point) << at;
  }
}

void expect_same_search(const store::DeResult& result, const config::DeSettings& settings) {
  const Serial serial = search_serially(settings);
  expect_same_populations(result, serial);
  expect_same_best(result, serial);
  expect_same_history(result, serial);
  expect_same_migrations(result, serial);
  EXPECT_EQ(result.nfev, settings.islands.count * serial.islands[0].island.evaluations);
}

struct Exchange {
  const char* name;
  config::AlgorithmName algorithm;
  std::int64_t islands;
  Topology topology;
  Selection selection;
  Replacement replacement;
  int migrants;
};

constexpr auto classic = config::AlgorithmName::classic;
constexpr auto jso = config::AlgorithmName::jso;

// Every topology, selection and replacement, several times over; islands that do and do not divide by the ranks.
const Exchange exchanges[] = {
    {"unconnected", classic, 5, Topology::unconnected, Selection::best, Replacement::worst_if_better, 1},
    {"ring", jso, 8, Topology::ring, Selection::best, Replacement::worst_if_better, 1},
    {"ring of one", jso, 1, Topology::ring, Selection::best, Replacement::worst_if_better, 1},
    {"ring of two", classic, 2, Topology::ring, Selection::random, Replacement::worst, 3},
    {"both ways", classic, 5, Topology::bidirectional_ring, Selection::random, Replacement::worst, 3},
    {"both ways of two", jso, 2, Topology::bidirectional_ring, Selection::best, Replacement::random, 3},
    {"both ways to random", jso, 7, Topology::bidirectional_ring, Selection::best, Replacement::random, 3},
    {"all to all", classic, 4, Topology::complete, Selection::best, Replacement::worst_if_better, 1},
    {"all to random", classic, 5, Topology::complete, Selection::best, Replacement::random, 3},
    {"random to all", jso, 5, Topology::complete, Selection::random, Replacement::worst_if_better, 3}};

TEST_F(SearchOnRanks, EveryExchangeGivesTheBitsOfTheSerialReference) {
  for (const Exchange& exchange : exchanges) {
    SCOPED_TRACE(exchange.name);
    auto settings = sphere_settings(exchange.algorithm, exchange.islands);
    settings.migration.topology = exchange.topology;
    settings.migration.selection = exchange.selection;
    settings.migration.replacement = exchange.replacement;
    settings.migration.migrants = exchange.migrants;

    const RunOutcome outcome = search(settings);

    EXPECT_EQ(outcome.code, ExitCode::done);
    if (!communicator.root()) continue;
    EXPECT_EQ(outcome.result.stop_reason, "evaluations");
    const bool connected = exchange.islands > 1 && exchange.topology != Topology::unconnected;
    EXPECT_EQ(outcome.result.migrations_accepted > 0, connected);
    expect_same_search(outcome.result, settings);
  }
}

TEST_F(SearchOnRanks, AGivenNumberOfGenerationsIsExactWhereverReportsFall) {
  for (const std::int64_t generations : {0, 1, 6, 7, 12, 13}) {
    SCOPED_TRACE(generations);
    auto settings = sphere_settings(classic, 5);
    settings.migration.topology = Topology::complete;
    settings.stop.generations = generations;

    const RunOutcome outcome = search(settings);

    if (!communicator.root()) continue;
    EXPECT_EQ(outcome.result.stop_reason, "generations");
    EXPECT_EQ(outcome.result.nit, generations);
    EXPECT_EQ(outcome.result.nfev, std::int64_t{5} * 13 * (generations + 1));
    expect_same_search(outcome.result, settings);
  }
}

TEST_F(SearchOnRanks, ATooSmallBudgetStillGivesTheBestOfWhatWasEvaluated) {
  auto settings = sphere_settings(jso, 3);
  settings.stop.evaluations = 9;

  const RunOutcome outcome = search(settings);

  EXPECT_EQ(outcome.code, ExitCode::done);
  if (!communicator.root()) return;
  EXPECT_EQ(outcome.result.nfev, 27);
  EXPECT_EQ(outcome.result.nit, 0);
  expect_same_search(outcome.result, settings);
}

TEST_F(SearchOnRanks, AllRanksAgreeThatNothingIsUsable) {
  auto settings = sphere_settings(classic, 3);
  settings.problem.kind = config::ProblemKind::objective;
  settings.problem.text =
      sample::file(fmt::format("nan{}.cl", communicator.rank()), "real objective(const real *x) { return NAN; }\n");

  const RunOutcome outcome = search(settings);

  EXPECT_EQ(outcome.code, ExitCode::no_usable_point);
  if (!communicator.root()) return;
  EXPECT_EQ(outcome.result.stop_reason, "no_finite_energy");
  EXPECT_FALSE(outcome.result.success);
  EXPECT_EQ(outcome.result.nfev, 3 * 13);
  EXPECT_EQ(outcome.result.nan_evaluations, 3 * 13);
}

}  // namespace
}  // namespace atl::de

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
