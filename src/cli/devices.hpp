// `atoll devices`: what this job's ranks would compute on.
#pragma once
#include <string>
#include <vector>

#include "cli/rank_device.hpp"
#include "cluster/communicator.hpp"

namespace atl::cli {

/// Prints every rank's device on stdout of rank 0, as a table or as JSON, and warnings on stderr. Returns 0, or 69 when
/// a rank has no usable device. Collective.
[[nodiscard]] int devices(const cluster::Communicator& communicator, const std::string& selector, bool json);

/// One rank as rank 0 sees it.
struct RankReport {
  int rank = 0;
  std::string host;
  RankDevice device;
};

/// A row for every rank, then the devices of the hosts that no rank uses, each once, with the reason where there is
/// one.
[[nodiscard]] std::string devices_as_table(const std::vector<RankReport>& ranks);
[[nodiscard]] std::string devices_as_json(const std::vector<RankReport>& ranks);

}  // namespace atl::cli
