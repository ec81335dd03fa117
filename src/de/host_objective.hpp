// The objective on the host in double: models and benchmarks. A slow, independent second opinion on the kernels.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "de/problem.hpp"

namespace atl::de {

/// f(x) for x with all D entries in the user's units; empty for an objective file (only the device can run that).
using HostObjective = std::function<double(std::span<const double> x)>;
[[nodiscard]] HostObjective host_objective(const Problem& problem);

/// Model values row by row at x; model problems only.
[[nodiscard]] std::vector<double> predict(const Problem& problem, std::span<const double> x);

/// The loss of one residual (decision text: absolute, squared, huber, cauchy), unweighted.
[[nodiscard]] double loss(config::LossKind kind, double scale, double residual);

}  // namespace atl::de
