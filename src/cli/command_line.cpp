#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

#include "base/error.hpp"
#include "config/suggest.hpp"

namespace atl::cli {
namespace {

constexpr const char* about =
    "Islands of differential evolution and sweeps of self-organizing maps, on every OpenCL device\n"
    "that a job is given. One process computes on one device: alone, under mpirun, or under srun --mpi=pmix.";

constexpr const char* examples =
    "Examples:\n"
    "  atoll de problem.toml                     search on this machine, result in problem.h5\n"
    "  mpirun -n 4 --bind-to none atoll de problem.toml -o best.h5\n"
    "  atoll som sweep.toml --dry-run            what would be trained, on what, for how long\n"
    "  atoll show problem.h5                     read a result back";

constexpr const char* de_example =
    "Example:\n"
    "  mpirun -n 4 --bind-to none atoll de problem.toml -o best.h5 --seed 7 --set islands.count=128\n\n"
    "Exit codes:\n"
    "   0  done                                  69  no usable device\n"
    "   1  finished without a usable point       70  internal fault\n"
    "  64  wrong command line                    74  output not writable, there already, or in use\n"
    "  65  bad data or objective file            75  stopped early: --resume goes on\n"
    "  66  an input file is missing              78  bad problem file";

constexpr const char* som_example =
    "Example:\n"
    "  mpirun -n 4 --bind-to none atoll som sweep.toml -o maps.h5 --set sweep.replicates=20";

/// Help that begins with the line to type; the help option itself comes last.
class HelpText : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string /*name*/, CLI::AppFormatMode /*mode*/) const override {
    std::string text = "Usage: " + usage(*app) + "\n\n" + app->get_description() + "\n";
    if (!app->get_subcommands(nullptr).empty()) text += make_subcommands(app, CLI::AppFormatMode::Normal);
    std::vector<std::string> groups = app->get_groups();
    std::rotate(groups.begin(), groups.begin() + 1, groups.end());  // "Options" is the first, with --help
    for (const std::string& group : groups) {
      const auto options = app->get_options(
          [&](const CLI::Option* option) { return option->get_group() == group && option->nonpositional(); });
      if (!group.empty() && !options.empty()) text += make_group(group, false, options);
    }
    return text + "\n" + app->get_footer() + "\n";
  }

 private:
  static std::string usage(const CLI::App& app) {
    if (app.get_parent() == nullptr) return "atoll COMMAND [options]";
    std::string text = "atoll " + app.get_name();
    for (const CLI::Option* option : app.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
      text += " " + option->get_option_text();
    }
    return text + " [options]";
  }
};

const CLI::App& chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? app : *commands.front();
}

/// The option or subcommand that an unexpected word may have meant.
std::string hint(const CLI::App& app, const std::string& message) {
  std::vector<std::string> known;
  for (const CLI::Option* option : chosen(app).get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* command : chosen(app).get_subcommands(nullptr)) known.push_back(command->get_name());
  std::istringstream words(message.substr(message.find(": ") + 2));
  for (std::string word; words >> word;) {
    std::string suggestion = config::suggestion(word.substr(0, word.find('=')), known);
    if (!suggestion.empty()) return suggestion;
  }
  return "";
}

}  // namespace

void describe(CLI::App& app, CommandLine& line) {
  app.description(about);
  app.footer(examples);
  const auto help = std::make_shared<HelpText>();
  help->column_width(34);
  help->label("Subcommands", "Commands");
  app.formatter(help);  // subcommands inherit it
  app.set_help_flag("-h,--help", "this help");
  app.add_flag("--version", line.version, "versions of atoll and of what it stands on");
  app.require_subcommand(0, 1);

  CLI::App* de = app.add_subcommand("de", "search the best parameters of a problem file by differential evolution");
  de->footer(de_example);
  add_job_options(*de, line.de, "PROBLEM.toml");
  de->add_flag("--evaluate", line.de.evaluate, "one evaluation at the start values, row by row; no search")
      ->excludes("--dry-run")
      ->group("Look before the run");
  de->add_flag("--keep-checkpoint", line.de.keep_checkpoint,
               "of a finished run too: --resume --set stop.evaluations=MORE extends it")
      ->group("Result");
  de->add_option("--shape", line.de.shape, "force a kernel shape: A, an island a work-group; B, a member a work-group")
      ->option_text("A|B")
      ->check(CLI::IsMember({"A", "B"}))
      ->group("Expert");

  CLI::App* som = app.add_subcommand("som", "train every self-organizing map of a sweep file");
  som->footer(som_example);
  add_job_options(*som, line.som, "SWEEP.toml");
  som->get_option("--checkpoint-every")->group("");  // not shown: a sweep keeps every map when it is finished

  CLI::App* devices = app.add_subcommand("devices", "what this job's ranks would compute on");
  devices->footer("Example:\n  mpirun -n 4 atoll devices --device gpu");
  devices->add_option("--device", line.devices_selector, "gpu, cpu, an index or a part of a name")
      ->option_text("SELECTOR");
  devices->add_flag("--json", line.devices_json, "for programs");
  devices->add_flag("--self-test", line.devices_self_test, "whether the devices compute right");

  CLI::App* show = app.add_subcommand("show", "a result, partial result or checkpoint, read back for a person");
  show->footer("Example:\n  atoll show problem.h5 --json | jq .fun");
  show->add_option("file", line.show_file)->required()->option_text("FILE.h5");
  show->add_flag("--json", line.show_json, "for programs");
}

ParseReply reply_to(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return {0, chosen(app).help()};
  const std::string name = &chosen(app) == &app ? "atoll" : "atoll " + chosen(app).get_name();
  std::string message = error.what();
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError)) message = "a file is required";
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) message += hint(app, message);
  return {static_cast<int>(ExitCode::usage), fmt::format("{}: {}\nTry `{} --help`.\n", name, message, name)};
}

}  // namespace atl::cli
