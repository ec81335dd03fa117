// What can be said about an objective file's text before a compiler sees it.
#pragma once
#include <string>
#include <vector>

#include "de/problem.hpp"

namespace atl::de {

/// Error 65 when the text is binary or lacks the function that it should define, naming the signature.
void check_objective_text(const Problem& problem);

/// Error 65 at the word `double` (or double2, ...): devices without it would refuse, the others would silently compute
/// at a fraction of the speed. For runs in single precision.
void refuse_double(const Problem& problem);

/// The words of the user's text that name functions of our kernels, too. They are renamed around the user's text, so
/// that a helper may be called `normal` or `evaluate`.
[[nodiscard]] std::vector<std::string> names_of_ours(const Problem& problem);

}  // namespace atl::de
