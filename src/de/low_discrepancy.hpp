// Base points of the Sobol and Halton initial populations; each island shifts them by its own random vector (mod 1).
#pragma once
#include <cstddef>
#include <vector>

namespace atl::de {

/// count x dimension points in [0, 1), row-major: point i, coordinate d at [i * dimension + d]. Throws 78 above the
/// dimensions that the direction numbers serve, with that number.
[[nodiscard]] std::vector<double> sobol_points(std::size_t count, std::size_t dimension);
[[nodiscard]] std::vector<double> halton_points(std::size_t count, std::size_t dimension);

}  // namespace atl::de
