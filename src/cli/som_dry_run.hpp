// What `atoll som --dry-run` prints.
#pragma once
#include "cli/rank_device.hpp"
#include "cluster/communicator.hpp"
#include "som/run.hpp"

namespace atl::cli {

/// The effective configuration, devices, maps, work, memory, file size and an estimate of the time. Collective; rank 0
/// prints to stdout. Also works where no rank has a device, and says so.
void dry_run(const som::Sweep& sweep, const som::RunOptions& options, const RankDevice& mine,
             const cluster::Communicator& communicator);

}  // namespace atl::cli
