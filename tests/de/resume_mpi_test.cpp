// A whole search that was saved on the way goes on, on any number of ranks, to the bits of an undisturbed one.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include "cluster/mpi_main.hpp"
#include "de/resume.hpp"
#include "de/run.hpp"
#include "de/sample_problem.hpp"
#include "device/opencl.hpp"

namespace atl::de {
namespace {

using config::AlgorithmName;
using config::Topology;

config::LoadedDe loaded(AlgorithmName name, Topology topology) {
  config::LoadedDe result;
  result.settings = sample::benchmark("rosenbrock", 4, -5, 5);
  result.settings.algorithm.name = name;
  result.settings.algorithm.population = 24;
  result.settings.islands.count = 7;
  result.settings.migration.topology = topology;
  result.settings.migration.interval = 10;
  result.settings.migration.first = 25;
  result.settings.migration.migrants = 2;
  result.settings.stop.evaluations = 100'000;
  result.settings.algorithm.schedule_evaluations = 2000;
  result.effective = {{"run.seed", "1", "default"}};
  return result;
}

device::Device any_device() {
  for (const auto& info : device::list_devices())
    if (info.unusable.empty() && info.has_double) return device::open(info);
  throw std::runtime_error("no usable OpenCL device with double");
}

class Resume : public testing::Test {
 protected:
  RunOutcome run(config::LoadedDe problem_file, std::int64_t generations,
                 std::shared_ptr<const store::DeCheckpoint> from = nullptr) {
    problem_file.settings.stop.generations = generations;
    RunOptions options;
    options.checkpoint_seconds = 0;  // whenever the one before is on the disk
    return run(problem_file, options, std::move(from));
  }

  /// Saved only when it comes to its end.
  RunOutcome run_kept(const config::LoadedDe& problem_file, std::shared_ptr<const store::DeCheckpoint> from = nullptr) {
    RunOptions options;
    options.keep_checkpoint = true;
    return run(problem_file, options, std::move(from));
  }

  RunOutcome run(config::LoadedDe problem_file, RunOptions options, std::shared_ptr<const store::DeCheckpoint> from) {
    problem_file.settings.run.polish = false;
    options.checkpoints = paths();
    options.resumes = communicator.max(std::int64_t{from != nullptr}) != 0;
    options.resume = std::move(from);
    return de::run(problem_file, make_problem(problem_file.settings), options, device, communicator);
  }

  store::CheckpointPaths paths() const {
    const std::string name = communicator.broadcast(testing::TempDir() + "/atoll_resume_" + std::to_string(getpid()));
    return store::checkpoint_paths(name + ".h5");
  }

  /// What the run before left, on rank 0.
  std::shared_ptr<const store::DeCheckpoint> newest() const {
    const store::CheckpointPaths where = paths();
    if (!communicator.root()) return nullptr;
    return std::make_shared<const store::DeCheckpoint>(store::find_checkpoint(where).value().checkpoint);
  }

  void remove_checkpoints() const {
    const store::CheckpointPaths where = paths();
    for (const std::string& path : {where.newest, where.previous}) std::filesystem::remove(path);
    communicator.barrier();
  }

  void TearDown() override { remove_checkpoints(); }

  void expect_equal(const store::DeResult& a, const store::DeResult& b) const {
    if (!communicator.root()) return;
    EXPECT_EQ(a.population, b.population);
    EXPECT_EQ(a.population_energies, b.population_energies);
    EXPECT_EQ(a.x, b.x);
    EXPECT_EQ(a.fun, b.fun);
    EXPECT_EQ(a.nfev, b.nfev);
    EXPECT_EQ(a.nit, b.nit);
    EXPECT_EQ(a.history_generation, b.history_generation);
    EXPECT_EQ(a.history_evaluations, b.history_evaluations);
    EXPECT_EQ(a.history_island_best, b.history_island_best);
    EXPECT_EQ(a.history_mean, b.history_mean);
    EXPECT_EQ(a.migration_generation, b.migration_generation);
    EXPECT_EQ(a.migration_source, b.migration_source);
    EXPECT_EQ(a.migration_destination, b.migration_destination);
    EXPECT_EQ(a.migration_energy, b.migration_energy);
    EXPECT_EQ(a.migration_x, b.migration_x);
    EXPECT_EQ(a.migrations_accepted, b.migrations_accepted);
  }

  cluster::Communicator communicator;
  device::Device device = any_device();
};

TEST_F(Resume, OnceAndThreeTimesGiveTheSameBits) {
  for (const AlgorithmName name : {AlgorithmName::jso, AlgorithmName::classic})
    for (const Topology topology : {Topology::ring, Topology::complete}) {
      SCOPED_TRACE(fmt::format("{} {}", config::name_of(name), config::name_of(topology)));
      const config::LoadedDe problem_file = loaded(name, topology);
      const RunOutcome whole = run(problem_file, 100);

      (void)run(problem_file, 50);
      const RunOutcome once = run(problem_file, 100, newest());
      (void)run(problem_file, 30);
      (void)run(problem_file, 55, newest());
      (void)run(problem_file, 80, newest());
      const RunOutcome thrice = run(problem_file, 100, newest());

      expect_equal(once.result, whole.result);
      expect_equal(thrice.result, whole.result);
    }
}

TEST_F(Resume, AnExhaustedBudgetCanBeExtended) {
  config::LoadedDe problem_file = loaded(AlgorithmName::jso, Topology::ring);
  (void)run(problem_file, 30);
  const auto from = newest();
  problem_file.settings.stop.evaluations = 4000;  // twice the schedule, which stays

  const RunOutcome outcome = run(problem_file, 100'000, from);

  if (communicator.root()) {
    EXPECT_EQ(outcome.result.stop_reason, "evaluations");
    EXPECT_EQ(outcome.result.nfev, 7 * 4000);
  }
}

TEST_F(Resume, AFinishedRunThatWasKeptIsExtendedToTheBitsOfOneLongRun) {
  for (const AlgorithmName name : {AlgorithmName::jso, AlgorithmName::classic}) {
    config::LoadedDe late = loaded(name, Topology::ring);
    late.settings.stop.evaluations = 2000;
    const RunOutcome whole = run_kept(late);
    const std::vector<double>& best = whole.result.history_best;  // at generations 0, 10, 20, 25, 35 ... on rank 0
    // In the middle of a generation of 24, of an interval of 10, at a report and at an exchange.
    const std::vector<std::function<void(config::StopSettings&)>> ends = {
        [](auto& stop) { stop.evaluations = 1000; },
        [](auto& stop) { stop.evaluations = 24 * 36; },
        [](auto& stop) { stop.evaluations = 30; },
        [](auto& stop) { stop.generations = 33; },
        [](auto& stop) { stop.generations = 35; },
        [&](auto& stop) { stop.value_to_reach = communicator.root() ? best.at(1) : 0; },
        [&](auto& stop) { stop.value_to_reach = communicator.root() ? best.at(4) : 0; }};
    for (std::size_t i = 0; i < ends.size(); ++i) {
      SCOPED_TRACE(fmt::format("{}, end {}", config::name_of(name), i));
      config::LoadedDe early = loaded(name, Topology::ring);
      ends[i](early.settings.stop);
      remove_checkpoints();

      const RunOutcome first = run_kept(early);
      const auto kept = newest();
      const RunOutcome extended = run_kept(late, kept);

      if (communicator.root()) {
        EXPECT_TRUE(kept->kept);
        EXPECT_EQ(first.result.state, "finished");
        EXPECT_LT(first.result.nfev, whole.result.nfev);
      }
      expect_equal(extended.result, whole.result);
    }
  }
}

TEST_F(Resume, AKeptRunEndsWithTheBitsOfAnyOther) {
  config::LoadedDe problem_file = loaded(AlgorithmName::jso, Topology::complete);
  problem_file.settings.stop.evaluations = 1500;
  const RunOutcome other = run(problem_file, RunOptions(), nullptr);
  const RunOutcome kept = run_kept(problem_file);

  const RunOutcome again = run_kept(problem_file, newest());

  expect_equal(kept.result, other.result);
  expect_equal(again.result, other.result);
}

TEST_F(Resume, TheSearchGoesOnWhileACheckpointIsOnItsWayToTheDisk) {
  config::LoadedDe problem_file = loaded(AlgorithmName::jso, Topology::ring);
  problem_file.settings.stop.generations = 100;
  const RunOutcome whole = run(problem_file, RunOptions(), nullptr);
  // A pipe in place of the file: writing lasts until somebody reads, and then fails, because a pipe is on no disk.
  const std::string pipe = paths().newest + ".new.tmp-" + std::to_string(getpid());
  std::atomic<std::int64_t> generation = 0;
  std::int64_t generation_of_reading = 0;
  std::thread reader;
  if (communicator.root()) {
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    reader = std::thread([&] {
      for (int wait = 0; wait < 30'000 && generation < 50; ++wait)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      generation_of_reading = generation;
      std::ifstream file(pipe);
      const std::string read((std::istreambuf_iterator<char>(file)), {});
    });
  }
  std::vector<std::string> warnings;
  RunOptions options;
  options.checkpoint_seconds = 0;
  options.progress = [&](const Progress& now) { generation = now.generation; };
  options.warning = [&](const std::string& text) { warnings.push_back(text); };

  const RunOutcome outcome = run(problem_file, options, nullptr);

  expect_equal(outcome.result, whole.result);
  if (!communicator.root()) return;
  reader.join();
  EXPECT_GE(generation_of_reading, 50);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("cannot write"), std::string::npos) << warnings[0];
  EXPECT_NE(warnings[0].find("the search goes on"), std::string::npos) << warnings[0];
}

TEST_F(Resume, AnotherSearchIsRefusedWithWhatDiffers) {
  config::LoadedDe problem_file = loaded(AlgorithmName::jso, Topology::ring);
  (void)run(problem_file, 30);
  const auto from = newest();
  if (!communicator.root()) return;
  const auto refusal = [&](const config::LoadedDe& other) {
    return sample::error_of(
        [&] { check_same_search(from->identity, "a.checkpoint.h5", other, make_problem(other.settings)); });
  };
  config::LoadedDe other_seed = problem_file;
  other_seed.effective[0].value = "2";
  config::LoadedDe other_islands = problem_file;
  other_islands.settings.islands.count = 8;
  config::LoadedDe other_box = problem_file;
  other_box.settings.problem.parameters[0].max = 6;
  config::LoadedDe other_stop = problem_file;
  other_stop.settings.stop.evaluations = 5;

  EXPECT_EQ(refusal(other_seed).first, ExitCode::bad_configuration);
  EXPECT_NE(refusal(other_seed).second.find("a.checkpoint.h5 belongs to another search: run.seed: was 1, is 2;"),
            std::string::npos);
  EXPECT_NE(refusal(other_islands).second.find("islands.count: was 7, is 8;"), std::string::npos);
  EXPECT_NE(refusal(other_box).second.find("the content of its files"), std::string::npos);
  EXPECT_NO_THROW(check_same_search(from->identity, "a", other_stop, make_problem(other_stop.settings)));
}

}  // namespace
}  // namespace atl::de

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
