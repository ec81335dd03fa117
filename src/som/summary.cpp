#include "som/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <tuple>

namespace atl::som {
namespace {

struct Spread {
  store::SomMeasures mean, min, std, nan;
};

/// All measures in one go over the replicates: of half a million, one at a time would be read from memory for each.
Spread spread_of(std::span<const store::SomMeasures> replicates) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr std::size_t measures = std::tuple_size_v<store::SomMeasures>;
  store::SomMeasures sum{}, squares{}, count{};
  Spread spread{};
  spread.min.fill(std::numeric_limits<double>::infinity());
  for (const store::SomMeasures& map : replicates)
    for (std::size_t m = 0; m < measures; ++m) {
      if (std::isnan(map[m])) continue;
      sum[m] += map[m];
      spread.min[m] = std::min(spread.min[m], map[m]);
      ++count[m];
    }
  for (std::size_t m = 0; m < measures; ++m) spread.mean[m] = sum[m] / count[m];
  for (const store::SomMeasures& map : replicates)
    for (std::size_t m = 0; m < measures; ++m)
      if (!std::isnan(map[m])) squares[m] += (map[m] - spread.mean[m]) * (map[m] - spread.mean[m]);
  for (std::size_t m = 0; m < measures; ++m) {
    spread.nan[m] = static_cast<double>(replicates.size()) - count[m];
    spread.std[m] = std::sqrt(squares[m] / count[m]);
    if (count[m] == 0) spread.mean[m] = spread.min[m] = spread.std[m] = none;
  }
  return spread;
}

}  // namespace

store::SomSummary summarize(const Plan& plan, const std::vector<store::SomMeasures>& measures) {
  store::SomSummary summary;
  const std::size_t settings = plan.settings();
  for (std::size_t s = 0; s < settings; ++s) {
    const MapSetting& map = plan.maps[s * plan.replicates];
    summary.settings.neurons.push_back(map.neurons());
    summary.settings.rows.push_back(map.rows);
    summary.settings.columns.push_back(map.columns);
    summary.settings.epochs.push_back(map.epochs);
    summary.settings.topology.emplace_back(config::name_of(map.topology));
    summary.settings.sigma.push_back(map.sigma);
    summary.settings.eta.push_back(map.eta);
    summary.replicates.push_back(static_cast<std::int64_t>(plan.replicates));
    const Spread spread = spread_of(std::span(measures).subspan(s * plan.replicates, plan.replicates));
    summary.mean.push_back(spread.mean);
    summary.min.push_back(spread.min);
    summary.std.push_back(spread.std);
    summary.nan.push_back(spread.nan);
  }
  return summary;
}

}  // namespace atl::som
