// A sweep's summary for a person: the table of settings and the suggestions.
#pragma once
#include <cstddef>
#include <string>

#include "store/som_summary.hpp"

namespace atl::som {

/// One row a setting: shape, start values, quantization error with its spread, topographic error, explained variance,
/// Davies-Bouldin. More than `most_rows` rows are thinned evenly, but for those that are suggested, and it says so.
[[nodiscard]] std::string summary_table(const store::SomSummary& summary, const store::SomSuggestions& suggestions,
                                        std::size_t most_rows);

/// "suggested: 24 neurons (ring, sigma 5, eta 1, 149 epochs): ...", of a grid "4x6 = 24 neurons"; one paragraph a
/// group.
[[nodiscard]] std::string suggestion_text(const store::SomSuggestions& suggestions);

}  // namespace atl::som
