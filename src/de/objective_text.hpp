// What can be said about an objective file's text before a compiler sees it.
#pragma once
#include "de/problem.hpp"

namespace atl::de {

/// Error 65 when the text is binary or lacks the function that it should define, naming the signature.
void check_objective_text(const Problem& problem);

/// Error 65 at the word `double` (or double2, ...): devices without it would refuse, the others would silently compute
/// at a fraction of the speed. For runs in single precision.
void refuse_double(const Problem& problem);

}  // namespace atl::de
