#include "som/suggestion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace atl::som {
namespace {

constexpr double near_factor = 1.5;      // two sizes that agree
constexpr double variance_slack = 0.05;  // of the largest explained variance

template <typename Better>
std::optional<std::size_t> best(const std::vector<double>& values, Better better) {
  std::optional<std::size_t> at;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && (!at || better(values[i], values[*at]))) at = i;
  return at;
}

std::optional<std::size_t> elbow_of(const Curve& curve) {
  std::vector<double> size;
  std::vector<double> error;
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < curve.neurons.size(); ++i) {
    if (std::isnan(curve.quantization_error[i])) continue;
    size.push_back(std::log(static_cast<double>(curve.neurons[i])));
    error.push_back(curve.quantization_error[i]);
    at.push_back(i);
  }
  if (at.size() < 3 || size.back() == size.front()) return std::nullopt;
  const std::vector<double> smooth = falling(error);
  if (smooth.back() >= smooth.front()) return std::nullopt;
  std::optional<std::size_t> elbow;
  double farthest = 0;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const double chord =
        smooth.front() + (smooth.back() - smooth.front()) * (size[i] - size.front()) / (size.back() - size.front());
    if (chord - smooth[i] <= farthest) continue;
    farthest = chord - smooth[i];
    elbow = at[i];
  }
  return elbow;
}

bool near(std::int64_t a, std::int64_t b) {
  return static_cast<double>(std::max(a, b)) <= near_factor * static_cast<double>(std::min(a, b));
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, "; "));
}

std::string reason_for(const Curve& curve, const Criteria& criteria, std::int64_t agreeing, std::int64_t voting) {
  std::vector<std::string> parts;
  if (criteria.elbow)
    parts.push_back(fmt::format("the quantization error has its elbow at {} ({:.4g})", curve.neurons[*criteria.elbow],
                                curve.quantization_error[*criteria.elbow]));
  if (criteria.variance)
    parts.push_back(fmt::format("explained variance comes within {} of its largest at {} ({:.3g})", variance_slack,
                                curve.neurons[*criteria.variance], curve.explained_variance[*criteria.variance]));
  if (criteria.davies_bouldin)
    parts.push_back(fmt::format("the Davies-Bouldin index is least at {} ({:.3g})",
                                curve.neurons[*criteria.davies_bouldin],
                                curve.davies_bouldin[*criteria.davies_bouldin]));
  if (criteria.topographic)
    parts.push_back(fmt::format("the topographic error is least at {} ({:.3g})", curve.neurons[*criteria.topographic],
                                curve.topographic_error[*criteria.topographic]));
  const std::string facts = joined(parts);
  if (voting < 2) return facts.empty() ? "no measure tells the sizes apart" : facts;
  if (agreeing == voting) return facts + ": all agree";
  if (agreeing == 1) return facts + ": they disagree, look at the curves before you decide";
  return facts + fmt::format(": {} of {} agree", agreeing, voting);
}

/// The settings of a group in order of rising neurons; the curve and each row's place in the summary.
struct GroupCurve {
  Curve curve;
  std::vector<std::size_t> setting;
};

bool all_neighbors(const MapSetting& map) {
  const std::int32_t n = map.neurons();
  if (map.topology == config::MapTopology::ring) return n <= 3;
  return n <= 2;
}

GroupCurve curve_of(const Plan& plan, const store::SomSummary& summary, std::vector<std::size_t> settings) {
  static const std::size_t quantization = store::som_measure("quantization_error");
  static const std::size_t topographic = store::som_measure("topographic_error");
  static const std::size_t variance = store::som_measure("explained_variance");
  static const std::size_t davies_bouldin = store::som_measure("davies_bouldin");
  std::stable_sort(settings.begin(), settings.end(), [&](std::size_t a, std::size_t b) {
    return summary.settings.neurons[a] < summary.settings.neurons[b];
  });
  GroupCurve result;
  for (const std::size_t s : settings) {
    result.setting.push_back(s);
    result.curve.neurons.push_back(summary.settings.neurons[s]);
    result.curve.quantization_error.push_back(summary.mean[s][quantization]);
    result.curve.topographic_error.push_back(summary.mean[s][topographic]);
    result.curve.explained_variance.push_back(summary.mean[s][variance]);
    result.curve.davies_bouldin.push_back(summary.mean[s][davies_bouldin]);
    result.curve.all_neighbors.push_back(all_neighbors(plan.maps[s * plan.replicates]));
  }
  return result;
}

}  // namespace

std::vector<double> falling(const std::vector<double>& values) {
  struct Block {
    double sum;
    std::size_t count;
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Block> blocks;
  for (const double value : values) {
    blocks.push_back({value, 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() < blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().count += last.count;
    }
  }
  std::vector<double> result;
  for (const Block& block : blocks) result.insert(result.end(), block.count, block.mean());
  return result;
}

Criteria criteria_of(const Curve& curve) {
  Criteria criteria;
  if (curve.neurons.size() < 2) return criteria;
  criteria.elbow = elbow_of(curve);
  std::vector<double> topographic = curve.topographic_error;
  for (std::size_t i = 0; i < topographic.size(); ++i)
    if (curve.all_neighbors[i]) topographic[i] = std::nan("");
  criteria.topographic = best(topographic, [](double a, double b) { return a <= b; });  // the larger of equals
  criteria.davies_bouldin = best(curve.davies_bouldin, std::less<>());
  const std::optional<std::size_t> most = best(curve.explained_variance, std::greater<>());
  for (std::size_t i = 0; most && i < curve.neurons.size() && !criteria.variance; ++i)
    if (curve.explained_variance[i] >= curve.explained_variance[*most] - variance_slack) criteria.variance = i;
  return criteria;
}

Suggestion suggest(const Curve& curve, const Criteria& criteria) {
  Suggestion suggestion;
  std::vector<std::size_t> votes;  // in order of precedence where they tie
  for (const auto& vote : {criteria.elbow, criteria.variance, criteria.davies_bouldin, criteria.topographic})
    if (vote) votes.push_back(*vote);
  for (const std::size_t vote : votes) {
    const std::int64_t agreeing = std::count_if(
        votes.begin(), votes.end(), [&](std::size_t other) { return near(curve.neurons[vote], curve.neurons[other]); });
    if (agreeing <= suggestion.agreeing) continue;
    suggestion.agreeing = agreeing;
    suggestion.at = vote;
  }
  suggestion.reason = curve.neurons.size() < 2
                          ? "the only size in the sweep"
                          : reason_for(curve, criteria, suggestion.agreeing, static_cast<std::int64_t>(votes.size()));
  return suggestion;
}

store::SomSuggestions suggestions_of(const Plan& plan, const store::SomSummary& summary) {
  std::vector<std::vector<std::size_t>> groups(plan.groups);
  for (std::size_t s = 0; s < plan.settings(); ++s) groups[plan.group[s]].push_back(s);
  store::SomSuggestions result;
  for (std::vector<std::size_t>& group : groups) {
    const GroupCurve of_group = curve_of(plan, summary, std::move(group));
    const Curve& curve = of_group.curve;
    const Criteria criteria = criteria_of(curve);
    const Suggestion suggestion = suggest(curve, criteria);
    const std::size_t s = of_group.setting[suggestion.at];
    const store::SomColumns& settings = summary.settings;
    result.groups.neurons.push_back(settings.neurons[s]);
    result.groups.rows.push_back(settings.rows[s]);
    result.groups.columns.push_back(settings.columns[s]);
    result.groups.epochs.push_back(settings.epochs[s]);
    result.groups.topology.push_back(settings.topology[s]);
    result.groups.sigma.push_back(settings.sigma[s]);
    result.groups.eta.push_back(settings.eta[s]);
    const auto neurons = [&](const std::optional<std::size_t>& at) {
      return at ? curve.neurons[*at] : std::int64_t{0};
    };
    result.elbow.push_back(neurons(criteria.elbow));
    result.topographic.push_back(neurons(criteria.topographic));
    result.variance.push_back(neurons(criteria.variance));
    result.davies_bouldin.push_back(neurons(criteria.davies_bouldin));
    result.agreeing.push_back(suggestion.agreeing);
    result.reason.push_back(suggestion.reason);
  }
  return result;
}

}  // namespace atl::som
