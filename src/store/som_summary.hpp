// The rows of /summary: one a setting (all but replicate), and one suggestion a (topology, sigma, eta, epochs).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "store/som_layout.hpp"

namespace atl::store {

struct SomSummary {
  SomColumns settings;
  std::vector<std::int64_t> replicates;          // maps in the row
  std::vector<SomMeasures> mean, min, std, nan;  // over the replicates, NaN left out; nan: how many were left out
};

struct SomSuggestions {
  SomColumns groups;  // neurons, rows, columns are those suggested; sigma is the suggested map's
  std::vector<std::int64_t> elbow, topographic, variance, davies_bouldin;  // neurons by each criterion alone; 0: none
  std::vector<std::int64_t> agreeing;                                      // criteria near the suggestion
  std::vector<std::string> reason;
};

}  // namespace atl::store
