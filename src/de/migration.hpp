// Exchange of members between islands, wherever they live. Islands have global ids; ranks only hold them.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "cluster/communicator.hpp"
#include "config/de_settings.hpp"
#include "de/engine.hpp"

namespace atl::de {

/// Accepted migrants of the islands of one rank, in the order (generation, destination, arrival).
struct MigrationLog {
  static constexpr std::size_t longest = 1'000'000;
  std::vector<std::int64_t> generation, source, destination;
  std::vector<double> energy;
  std::vector<double> points;  // u, rows of `free`; empty when points are not kept
  std::int64_t accepted = 0;   // all of them, also those beyond `longest`

  [[nodiscard]] bool full() const { return generation.size() >= longest; }
};

/// True when members travel after this generation.
[[nodiscard]] bool migration_due(const config::MigrationSettings& settings, std::int64_t islands,
                                 std::int64_t generation);

class Migration {
 public:
  /// `keep_points`: the log also gets the migrants' u.
  Migration(const config::MigrationSettings& settings, std::int64_t islands, std::int64_t migrants, std::size_t free,
            bool keep_points, const cluster::Communicator& communicator);

  /// One synchronous exchange: snapshot, travel, arrival in the order of (energy, source). The device may still be at
  /// it on return; `engine` must live until the exchange is noted.
  void exchange(Engine& engine);
  /// Writes the last exchange down, if that was not done yet: work for the host while the device goes on.
  void note();
  /// Every exchange so far.
  [[nodiscard]] const MigrationLog& log();
  /// Goes on with the log of an earlier leg; on one rank.
  void continue_log(MigrationLog log) { log_ = std::move(log); }

 private:
  struct Candidate {
    double energy;
    std::int32_t row, source;
  };
  void find_partners();
  [[nodiscard]] std::vector<double> fetch_remote(const Emigrants& emigrants);
  [[nodiscard]] Arrivals arrange(const Emigrants& emigrants, const std::vector<double>& remote) const;
  [[nodiscard]] bool knows_order() const;
  void add_rows(const Emigrants& emigrants, const std::vector<std::uint8_t>& accepted);

  config::MigrationSettings settings_;
  std::int64_t islands_, migrants_, first_, end_;  // this rank has islands first_ .. end_ - 1
  std::size_t free_;
  bool keep_points_;
  const cluster::Communicator& communicator_;
  std::map<int, std::vector<std::int64_t>> sends_, receives_;  // islands by rank, ascending
  std::map<std::int64_t, std::int64_t> remote_place_;          // island -> place among the remote ones
  std::vector<std::vector<std::int64_t>> sources_;             // of each local island; empty for complete
  bool order_is_known_ = false;                                // no energy decides who is tried first
  MigrationLog log_;
  Arrivals arrivals_;  // of the last exchange
  Emigrants emigrants_;
  std::int64_t generation_ = 0;
  Engine* pending_ = nullptr;  // has an exchange that log_ lacks
};

}  // namespace atl::de
