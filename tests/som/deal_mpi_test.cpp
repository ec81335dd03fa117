// Dealing over real ranks, with trainers that sleep instead of training. Every rank runs every test.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

#include "cluster/mpi_main.hpp"
#include "som/deal_run.hpp"

namespace atl::som {
namespace {

using cluster::Communicator;
using Clock = std::chrono::steady_clock;

/// Maps of rising size; map i trains in `unit` * (i + 1) of sleep.
DealtWork work_of(std::size_t maps) {
  DealtWork work;
  for (std::size_t i = 0; i < maps; ++i) {
    MapSetting map;
    map.columns = static_cast<std::int32_t>(i + 1);
    work.maps.push_back(map);
    work.index.push_back(static_cast<std::int64_t>(10 * i));
    work.costs.push_back(static_cast<double>(i + 1));
    work.bytes.push_back(100);
  }
  return work;
}

struct Collected {
  std::vector<std::int64_t> index;
  std::vector<std::int32_t> ranks;
  std::vector<double> neurons;
};

/// Hooks of a rank that sleeps; what rank 0 is given to store goes to `collected`.
DealHooks sleeping(std::chrono::microseconds unit, Collected& collected) {
  DealHooks hooks;
  hooks.train = [unit](std::span<const MapSetting> maps, const FinishedMap& finished,
                       const std::function<bool()>& stop) {
    for (std::size_t i = 0; i < maps.size(); ++i) {
      std::this_thread::sleep_for(unit * maps[i].neurons());
      TrainedMap trained;
      trained.measures.quantization_error = maps[i].neurons();
      finished(i, std::move(trained));
      if (stop()) return i + 1 == maps.size();
    }
    return true;
  };
  hooks.pack = [](store::SomBatch& batch, std::int64_t index, TrainedMap&& map) {
    batch.index.push_back(index);
    batch.seconds.push_back(0);
    batch.measures.push_back({map.measures.quantization_error});
  };
  hooks.store = [&collected](const store::SomBatch& batch) {
    for (std::size_t i = 0; i < batch.index.size(); ++i) {
      collected.index.push_back(batch.index[i]);
      collected.ranks.push_back(batch.rank);
      collected.neurons.push_back(batch.measures[i][0]);
    }
  };
  return hooks;
}

TEST(Dealing, EveryMapIsTrainedOnceAndReachesRankZero) {
  const Communicator communicator;
  for (const std::size_t maps : {0U, 1U, 3U, 5U, 100U}) {
    Collected collected;

    const DealOutcome outcome =
        train_on_all_ranks(communicator, work_of(maps), sleeping(std::chrono::microseconds(20), collected));

    EXPECT_EQ(outcome.stop_reason, "");
    if (!communicator.root()) continue;
    for (std::size_t i = 0; i < collected.index.size(); ++i)
      EXPECT_EQ(collected.neurons[i], static_cast<double>(collected.index[i]) / 10 + 1);
    std::sort(collected.index.begin(), collected.index.end());
    std::vector<std::int64_t> all(maps);
    for (std::size_t i = 0; i < maps; ++i) all[i] = static_cast<std::int64_t>(10 * i);
    EXPECT_EQ(collected.index, all);
  }
}

TEST(Dealing, SleepingRanksAreBusyTogether) {
  const Communicator communicator;
  Collected collected;
  const DealtWork work = work_of(200);  // 20,100 units

  const auto start = Clock::now();
  const DealOutcome outcome =
      train_on_all_ranks(communicator, work, sleeping(std::chrono::microseconds(100), collected));
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  if (!communicator.root()) return;
  // Sleeping costs no core, so only waiting for one another could make the whole longer than the busiest rank.
  const double busiest = *std::max_element(outcome.busy_seconds.begin(), outcome.busy_seconds.end());
  const double sum = std::accumulate(outcome.busy_seconds.begin(), outcome.busy_seconds.end(), 0.0);
  RecordProperty("seconds", std::to_string(seconds));
  EXPECT_LE(busiest, 1.2 * sum / communicator.size());
  EXPECT_EQ(std::accumulate(outcome.maps.begin(), outcome.maps.end(), std::int64_t{0}), 200);
}

TEST(Dealing, ASlowRankGetsLess) {
  const Communicator communicator;
  if (communicator.size() == 1) GTEST_SKIP() << "one rank has nobody to be slower than";
  Collected collected;
  const bool slow = communicator.rank() == communicator.size() - 1;

  const DealOutcome outcome =
      train_on_all_ranks(communicator, work_of(200), sleeping(std::chrono::microseconds(slow ? 400 : 100), collected));

  if (!communicator.root()) return;
  const double fast_ranks = communicator.size() - 1;
  const double ideal = 20'100 * 100e-6 / (fast_ranks + 0.25);
  const double busiest = *std::max_element(outcome.busy_seconds.begin(), outcome.busy_seconds.end());
  RecordProperty("busiest_over_ideal", std::to_string(busiest / ideal));
  // Sleeps are longer than asked for, the more the machine is loaded: compared with the fast ranks of this very run.
  double fast_busy = 0;
  for (int r = 0; r + 1 < communicator.size(); ++r) fast_busy += outcome.busy_seconds[static_cast<std::size_t>(r)];
  EXPECT_LE(outcome.busy_seconds.back(), 1.25 * fast_busy / fast_ranks);
}

TEST(Dealing, AStopOnAnyRankEndsAllAndKeepsWhatIsFinished) {
  const Communicator communicator;
  const int stopper = communicator.size() - 1;
  Collected collected;
  DealHooks hooks = sleeping(std::chrono::microseconds(50), collected);
  int asked = 0;
  hooks.stop_reason = [&] { return communicator.rank() == stopper && ++asked > 5 ? "SIGUSR2" : ""; };

  const DealOutcome outcome = train_on_all_ranks(communicator, work_of(400), hooks);

  EXPECT_EQ(outcome.stop_reason, "SIGUSR2");
  if (!communicator.root()) return;
  EXPECT_LT(collected.index.size(), 400U);
  EXPECT_GT(collected.index.size(), 0U);
}

TEST(Dealing, AnErrorOfOneRankIsThrownOnAll) {
  const Communicator communicator;
  for (int failing = 0; failing < communicator.size(); ++failing) {
    Collected collected;
    DealHooks hooks = sleeping(std::chrono::microseconds(50), collected);
    const TrainMaps train = hooks.train;
    hooks.train = [&](std::span<const MapSetting> maps, const FinishedMap& finished,
                      const std::function<bool()>& stop) {
      if (communicator.rank() == failing) fail(ExitCode::no_device, "the device fell off");
      return train(maps, finished, stop);
    };

    try {
      (void)train_on_all_ranks(communicator, work_of(100), hooks);
      FAIL() << "no error from rank " << failing;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::no_device);
      EXPECT_NE(std::string(error.what()).find("the device fell off"), std::string::npos) << error.what();
    }
  }
}

TEST(Dealing, ADiskThatRefusesStopsAllRanks) {
  const Communicator communicator;
  Collected collected;
  DealHooks hooks = sleeping(std::chrono::microseconds(50), collected);
  hooks.store = [](const store::SomBatch&) { fail(ExitCode::cannot_write, "no space left"); };

  EXPECT_THROW((void)train_on_all_ranks(communicator, work_of(100), hooks), Error);
}

}  // namespace
}  // namespace atl::som

int main(int argc, char** argv) {
  return atl::cluster::run_mpi_tests(argc, argv);
}
