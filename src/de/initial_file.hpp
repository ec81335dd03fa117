// First members from a file: (NP, D) for island 0, or (I, NP, D), in the user's units.
#pragma once
#include <cstdint>
#include <vector>

#include "config/de_settings.hpp"
#include "de/problem.hpp"

namespace atl::de {

/// Search vectors of this rank's islands (islands * members * free), or nothing when the file is not for them. Errors:
/// 66 missing, 65 wrong shape (both are named) or a member outside the box.
[[nodiscard]] std::vector<double> initial_members(const config::AlgorithmSettings& settings, const Problem& problem,
                                                  int members, std::int64_t first_island, std::int64_t islands);

}  // namespace atl::de
