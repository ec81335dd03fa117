// Training a list of maps on all ranks: rank 0 deals, answers and trains too; every rank holds one batch ahead; results
// stream to rank 0 while batches are still being trained.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "som/dealing.hpp"
#include "som/map.hpp"
#include "store/som_layout.hpp"

namespace atl::som {

using FinishedMap = std::function<void(std::size_t index, TrainedMap&& map)>;
/// Trains `maps` on this rank as Trainer::train does: `finished` once a map, `stop` asked between launches; false when
/// `stop` ended it. A test brings its own.
using TrainMaps = std::function<bool(std::span<const MapSetting> maps, const FinishedMap& finished,
                                     const std::function<bool()>& stop)>;

/// The same on every rank.
struct DealtWork {
  std::vector<MapSetting> maps;     // those to train
  std::vector<std::int64_t> index;  // their place in the sweep
  std::vector<double> costs;
  std::vector<std::uint64_t> bytes;  // of each result
  BatchLimits limits;
};

/// What a rank knows of its device before it begins.
struct RankDevice {
  /// Maps like this one that the device trains in about the time of one; none: one.
  std::function<std::size_t(const MapSetting& map)> width;
  double speed = 1;               // cost a second, roughly
  std::function<double()> share;  // 0..1 of the running `train` that is done; none: unknown
};

struct DealHooks {
  TrainMaps train;
  /// Adds a trained map to a batch, in the form in which the file holds it.
  std::function<void(store::SomBatch& batch, std::int64_t index, TrainedMap&& map)> pack;
  /// Rank 0: takes results as they come, on a thread of its own.
  std::function<void(const store::SomBatch& batch)> store;
  /// Any rank: why to stop now, or empty; asked between launches.
  std::function<std::string()> stop_reason;
  /// Rank 0: between launches, with the cost of what it has trained of maps that are not finished.
  std::function<void(double in_flight)> tick;
  RankDevice device;
};

struct DealOutcome {
  std::string stop_reason;           // empty: every map was trained
  std::vector<double> busy_seconds;  // rank 0: of each rank
  std::vector<std::int64_t> maps;    // rank 0: stored of each rank
};

/// Collective. An error of any rank stops all, after what is finished was stored, and is thrown on every rank.
[[nodiscard]] DealOutcome train_on_all_ranks(const cluster::Communicator& communicator, const DealtWork& work,
                                             const DealHooks& hooks);

}  // namespace atl::som
