// A whole sweep over real ranks with a trainer that only makes numbers up, the same for the same map. Every rank runs
// every test.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cluster/mpi_main.hpp"
#include "som/run.hpp"
#include "store/hdf5.hpp"

namespace atl::som {
namespace {

using cluster::Communicator;
namespace fs = std::filesystem;

/// A folder that all ranks see, removed by rank 0.
class SharedFolder {
 public:
  explicit SharedFolder(const Communicator& communicator) : communicator_(communicator) {
    std::string name = (fs::temp_directory_path() / "atoll-run-XXXXXX").string();
    if (communicator.root() && ::mkdtemp(name.data()) == nullptr) communicator.abort(1);
    path_ = communicator.broadcast(name);
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() {
    communicator_.barrier();
    std::error_code ignored;
    if (communicator_.root()) fs::remove_all(path_, ignored);
  }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  const Communicator& communicator_;
  std::string path_;
};

Sweep sweep_in(const SharedFolder& folder, const Communicator& communicator, const std::string& seed = "1") {
  if (communicator.root()) {
    std::ofstream(folder / "points.csv") << "1,2\n3,4\n5,6\n";
    std::ofstream(folder / "sweep.toml")
        << "[data]\nfile = \"points.csv\"\n[sweep]\nneurons = \"2..20\"\nreplicates = 3\n"
           "[run]\nseed = "
        << seed << "\n";
  }
  communicator.barrier();
  return load_sweep(folder / "sweep.toml", {});
}

/// Numbers that only depend on the map.
TrainedMap made_up(const MapSetting& map) {
  TrainedMap trained;
  const auto stream = static_cast<double>(stream_of(map) % 1000);
  for (std::int32_t i = 0; i < 2 * map.neurons(); ++i) trained.weights.push_back(stream + i);
  trained.assignments = {0, 1, static_cast<std::int32_t>(stream) % map.neurons()};
  trained.hits.assign(static_cast<std::size_t>(map.neurons()), 1);
  trained.measures.quantization_error = stream;
  return trained;
}

/// Trains `most` maps in all on this rank, then says that it was asked to stop.
TrainMaps fake_trainer(std::size_t most = SIZE_MAX) {
  return [most, done = std::size_t{0}](std::span<const MapSetting> maps, const FinishedMap& finished,
                                       const std::function<bool()>& stop) mutable {
    for (std::size_t i = 0; i < maps.size(); ++i) {
      if (done++ >= most) fail(ExitCode::no_device, "the device fell off");
      finished(i, made_up(maps[i]));
      if (stop()) return false;
    }
    return true;
  };
}

RunOptions options_for(const std::string& output) {
  RunOptions options;
  options.output = output;
  return options;
}

std::vector<double> everything_in(const std::string& path) {
  const store::ReadFile file(path);
  std::vector<double> all;
  for (const char* const name : {"/weights/values", "/weights/offset", "/assignments", "/hits/values", "/runs/checksum",
                                 "/runs/quantization_error", "/runs/state", "/summary/quantization_error_mean"})
    for (const double value : file.doubles(name)) all.push_back(value);
  return all;
}

TEST(SweepRun, AnySplitIntoBatchesGivesTheSameFile) {
  const Communicator communicator;
  const SharedFolder folder(communicator);
  const Sweep sweep = sweep_in(folder, communicator);
  std::vector<std::vector<double>> contents;
  for (const std::size_t batch_maps : {std::size_t{1}, std::size_t{4}, SIZE_MAX}) {
    RunOptions options = options_for(folder / "a.h5");
    options.force = true;
    options.batch_maps = batch_maps;

    const RunOutcome outcome = run(sweep, options, fake_trainer(), {}, communicator);

    EXPECT_EQ(outcome.code, ExitCode::done);
    if (communicator.root()) contents.push_back(everything_in(folder / "a.h5"));
    communicator.barrier();
  }
  if (!communicator.root()) return;
  EXPECT_TRUE(contents[0] == contents[1]);
  EXPECT_TRUE(contents[0] == contents[2]);
}

TEST(SweepRun, AfterAnErrorResumeTrainsTheRest) {
  const Communicator communicator;
  const SharedFolder folder(communicator);
  const Sweep sweep = sweep_in(folder, communicator);
  RunOptions options = options_for(folder / "a.h5");
  (void)run(sweep, options_for(folder / "whole.h5"), fake_trainer(), {}, communicator);
  options.batch_maps = 2;
  EXPECT_THROW((void)run(sweep, options, fake_trainer(3), {}, communicator), Error);
  EXPECT_FALSE(fs::exists(folder / "a.h5"));
  communicator.barrier();

  options.resume = true;
  const RunOutcome outcome = run(sweep, options, fake_trainer(), {}, communicator);

  EXPECT_EQ(outcome.code, ExitCode::done);
  if (!communicator.root()) return;
  EXPECT_GT(outcome.kept, 0);
  EXPECT_EQ(outcome.kept + outcome.trained, 57);
  EXPECT_TRUE(everything_in(folder / "a.h5") == everything_in(folder / "whole.h5"));
}

TEST(SweepRun, AnotherSweepCannotResume) {
  const Communicator communicator;
  const SharedFolder folder(communicator);
  RunOptions options = options_for(folder / "a.h5");
  EXPECT_THROW((void)run(sweep_in(folder, communicator), options, fake_trainer(1), {}, communicator), Error);
  communicator.barrier();
  options.resume = true;

  try {
    (void)run(sweep_in(folder, communicator, "2"), options, fake_trainer(), {}, communicator);
    FAIL() << "resumed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_configuration);
    EXPECT_NE(std::string(error.what()).find("run.seed: was 1, is 2"), std::string::npos) << error.what();
  }
}

TEST(SweepRun, TheTimeLimitStopsEveryRank) {
  const Communicator communicator;
  const SharedFolder folder(communicator);
  RunOptions options = options_for(folder / "a.h5");
  options.max_seconds = 0;

  const RunOutcome outcome = run(sweep_in(folder, communicator), options, fake_trainer(), {}, communicator);

  EXPECT_EQ(outcome.code, ExitCode::stopped);
  EXPECT_EQ(outcome.stop_reason, "--max-time");
  EXPECT_TRUE(fs::exists(folder / "a.h5.partial"));
}

}  // namespace
}  // namespace atl::som

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
