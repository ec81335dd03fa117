#include "cli/show_checkpoint.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/counts.hpp"
#include "cli/progress.hpp"
#include "cli/show_parts.hpp"
#include "store/checkpoint.hpp"

namespace atl::cli {

std::string checkpoint_as_text(const store::ReadFile& file) {
  const store::DeCheckpoint checkpoint = store::read_checkpoint(file.path());
  return fmt::format(
      "{}: differential evolution, unfinished; the command that made it goes on with --resume\n"
      "  saved {} after generation {} and {} of search\n"
      "  {} of {}, {} each\n"
      "  best energy {}, last improved at generation {}\n",
      file.path(), checkpoint.saved, grouped(checkpoint.generation), human_seconds(checkpoint.seconds),
      counted(checkpoint.islands, "island"), counted(checkpoint.members, "member"),
      counted(checkpoint.evaluations, "evaluation"), checkpoint.best, grouped(checkpoint.improved));
}

std::string checkpoint_as_json(const store::ReadFile& file) {
  const store::DeCheckpoint checkpoint = store::read_checkpoint(file.path());  // refuses a damaged one
  return attributes_as_json(file).dump(2) + "\n";
}

}  // namespace atl::cli
