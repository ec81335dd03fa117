#include "som/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace atl::som {
namespace {

struct Spread {
  double mean, min, std, nan;
};

Spread spread_of(std::span<const store::SomMeasures> replicates, std::size_t measure) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  double min = std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  for (const store::SomMeasures& map : replicates) {
    if (std::isnan(map[measure])) continue;
    sum += map[measure];
    min = std::min(min, map[measure]);
    ++count;
  }
  const auto nan = static_cast<double>(replicates.size() - count);
  if (count == 0) return {none, none, none, nan};
  const double mean = sum / static_cast<double>(count);
  double squares = 0;
  for (const store::SomMeasures& map : replicates)
    if (!std::isnan(map[measure])) squares += (map[measure] - mean) * (map[measure] - mean);
  return {mean, min, std::sqrt(squares / static_cast<double>(count)), nan};
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
    store::SomMeasures mean{}, min{}, std{}, nan{};
    const auto replicates = std::span(measures).subspan(s * plan.replicates, plan.replicates);
    for (std::size_t m = 0; m < mean.size(); ++m) {
      const Spread spread = spread_of(replicates, m);
      mean[m] = spread.mean;
      min[m] = spread.min;
      std[m] = spread.std;
      nan[m] = spread.nan;
    }
    summary.mean.push_back(mean);
    summary.min.push_back(min);
    summary.std.push_back(std);
    summary.nan.push_back(nan);
  }
  return summary;
}

}  // namespace atl::som
