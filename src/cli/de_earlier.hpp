// What stands at the place of a DE result before the run: a result, a checkpoint, nothing; and what --resume and
// --force make of it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "config/de_settings.hpp"
#include "de/problem.hpp"
#include "store/checkpoint.hpp"

namespace atl::cli {

struct EarlierDe {
  bool finished = false;                                  // nothing is left to do
  std::shared_ptr<const store::DeCheckpoint> checkpoint;  // to go on from
  std::vector<std::string> notes;                         // what happens, for a person
};

/// True for a result of `atoll de`, finished or stopped.
[[nodiscard]] bool is_de_result(const std::string& path);

/// What --resume makes of the files at `output`, as look_for_earlier(); nothing is changed, and no lock is needed.
[[nodiscard]] EarlierDe earlier_to_resume(const std::string& output, bool force, const config::LoadedDe& loaded,
                                          const de::Problem& problem);

struct EarlierOptions {
  std::string output;
  bool resume = false, force = false;
};

/// Rank 0, with the lock held. Errors: 74 for what must not be replaced and for a finished run that cannot be extended,
/// 78 for a checkpoint or finished result of another search, 65 when no checkpoint is readable. With both --resume and
/// --force a checkpoint is gone on with, and a finished result is replaced. --force alone removes the checkpoints.
[[nodiscard]] EarlierDe look_for_earlier(const EarlierOptions& options, const config::LoadedDe& loaded,
                                         const de::Problem& problem);

/// Error 74 when the folder of `output` has not the room for checkpoints and result. Rank 0.
void check_room(const std::string& output, const config::DeSettings& settings, const de::Problem& problem);

}  // namespace atl::cli
