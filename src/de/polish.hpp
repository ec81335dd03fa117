// A local search on the best member at the end of a run, by NLopt, inside the box, never worse than its start.
#pragma once
#include <functional>
#include <vector>

#include "de/problem.hpp"

namespace atl::de {

struct Polished {
  std::vector<double> u;  // free entries; log entries in ln x, integers held
  double fun = 0;
  std::int64_t evaluations = 0;
};

[[nodiscard]] bool polish_available();  // this build has NLopt; without it polish() returns its start

/// `objective(u)` is f at a search vector. Integers stay at their rounded value. Returns the start when nothing better
/// was found.
[[nodiscard]] Polished polish(const Problem& problem, const std::vector<double>& u, double fun,
                              const std::function<double(const std::vector<double>& u)>& objective);

}  // namespace atl::de
