// What a finished sweep says: the spread over replicates, and how many neurons to take.
#pragma once
#include <cstdint>
#include <vector>

#include "som/plan.hpp"
#include "store/som_summary.hpp"

namespace atl::som {

/// Mean, min and standard deviation (over the count) of every measure over the replicates of each setting; NaN left out
/// and counted; a row of NaN only gives NaN.
[[nodiscard]] store::SomSummary summarize(const Plan& plan, const std::vector<store::SomMeasures>& measures);

}  // namespace atl::som
