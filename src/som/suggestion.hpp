// How many neurons to take: four criteria, each with a number of its own, and one suggestion with its reason in words.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "som/plan.hpp"
#include "store/som_summary.hpp"

namespace atl::som {

/// Means over replicates of the settings of one group, in order of rising neurons.
struct Curve {
  std::vector<std::int64_t> neurons;
  std::vector<double> quantization_error, topographic_error, explained_variance, davies_bouldin;
  std::vector<bool> all_neighbors;  // every neuron is a neighbour of every other: a topographic error says nothing
};

/// Positions in the curve; none where a criterion has nothing to say.
struct Criteria {
  /// Where the falling quantization error bends most: farthest below the chord from the first to the last size, over
  /// log(neurons), after the error was made to fall (isotonic regression; it falls with the neurons only in trend).
  std::optional<std::size_t> elbow;
  std::optional<std::size_t> topographic;     // least topographic error
  std::optional<std::size_t> variance;        // least size within 0.05 of the largest explained variance
  std::optional<std::size_t> davies_bouldin;  // least index
};

struct Suggestion {
  std::size_t at = 0;  // position in the curve
  std::int64_t agreeing = 0;
  std::string reason;
};

[[nodiscard]] Criteria criteria_of(const Curve& curve);

/// The criterion's size that most criteria come near (within a factor of 1.5), the elbow where they tie.
[[nodiscard]] Suggestion suggest(const Curve& curve, const Criteria& criteria);

/// One row a group of the plan.
[[nodiscard]] store::SomSuggestions suggestions_of(const Plan& plan, const store::SomSummary& summary);

/// The nearest sequence that never rises, in squares (pool adjacent violators).
[[nodiscard]] std::vector<double> falling(const std::vector<double>& values);

}  // namespace atl::som
