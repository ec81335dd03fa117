// The program text of a search: what is the same for all problems from kernels/, specialised by defines.
#pragma once
#include <vector>

#include "de/engine.hpp"
#include "de/objective_source.hpp"

namespace atl::de {

/// All pieces in order: defines, common/, the objective, de/.
[[nodiscard]] std::vector<device::SourcePiece> program_pieces(const EngineSetup& setup,
                                                              const ObjectiveSource& objective);

}  // namespace atl::de
