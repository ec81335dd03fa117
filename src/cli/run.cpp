// From the command line to a subcommand, and the one place where errors end.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>

#include "base/version.hpp"
#include "cli/agreement.hpp"
#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/de.hpp"
#include "cli/devices.hpp"
#include "cli/self_test.hpp"
#include "cli/show.hpp"
#include "cli/som.hpp"
#include "device/device_info.hpp"
#include "store/hdf5.hpp"

namespace atl::cli {
namespace {

std::string version_text() {
  std::set<std::string> platforms;
  for (const device::DeviceInfo& info : device::list_devices()) {
    platforms.insert(fmt::format("{}, driver {}", info.platform_name, info.driver));
  }
  if (platforms.empty()) platforms.insert("no platform");
  return fmt::format("atoll {} ({})\nMPI     {}\nOpenCL  {}\nHDF5    {}\n", version(), git_hash(),
                     cluster::mpi_library_version(), fmt::join(platforms, "\n        "), store::hdf5_version());
}

int start_de(const CommandLine& line, const std::string& command, const cluster::Communicator& communicator,
             std::chrono::steady_clock::time_point start) {
  DeOptions options;
  together(communicator, [&] {
    options.file = line.de.file;
    options.output = line.de.output;
    options.overrides = overrides_of(line.de);
    options.device = line.de.device;
    options.max_seconds = max_seconds_of(line.de);
    options.checkpoint_seconds = checkpoint_seconds_of(line.de);
    if (!line.de.shape.empty()) options.shape = line.de.shape.front();
  });
  options.keep_checkpoint = line.de.keep_checkpoint;
  options.resume = line.de.resume;
  options.force = line.de.force;
  options.quiet = line.de.quiet;
  options.verbose = line.de.verbose;
  options.dry_run = line.de.dry_run;
  options.evaluate = line.de.evaluate;
  options.command_line = command;
  options.process_start = start;
  return run_de(options, communicator);
}

int start_som(const CommandLine& line, const std::string& command, const cluster::Communicator& communicator,
              std::chrono::steady_clock::time_point start) {
  SomOptions options;
  int code = 0;
  together(communicator, [&] {
    if (!line.som.checkpoint_every.empty())
      fail(ExitCode::usage, "--checkpoint-every: a sweep keeps every map when it is finished; leave the option out");
    options.file = line.som.file;
    options.output = line.som.output;
    options.overrides = overrides_of(line.som);
    options.device = line.som.device;
    options.max_seconds = max_seconds_of(line.som);
  });
  options.resume = line.som.resume;
  options.force = line.som.force;
  options.quiet = line.som.quiet;
  options.verbose = line.som.verbose;
  options.dry_run = line.som.dry_run;
  options.command_line = command;
  options.process_start = start;
  together(communicator, [&] { code = run_som(options, communicator); });  // its errors are thrown on every rank
  return code;
}

int start(const CLI::App& app, const CommandLine& line, const std::string& command,
          const cluster::Communicator& communicator, std::chrono::steady_clock::time_point process_start) {
  if (line.version) {
    if (communicator.root()) fmt::print("{}", version_text());
    return 0;
  }
  if (app.got_subcommand("de")) return start_de(line, command, communicator, process_start);
  if (app.got_subcommand("som")) return start_som(line, command, communicator, process_start);
  if (app.got_subcommand("devices")) {
    if (line.devices_self_test) return self_test_devices(communicator, line.devices_selector);
    return devices(communicator, line.devices_selector, line.devices_json);
  }
  if (app.got_subcommand("show")) {
    together(communicator, [&] {
      if (communicator.root()) show(line.show_file, line.show_json);
    });
    return 0;
  }
  if (communicator.root()) fmt::print("{}", app.help());
  return 0;
}

/// One rank failed where the others may wait for it: all must end. Rank 0 speaks first, so that a fault that all ranks
/// met is told once.
[[noreturn]] void end_all(const cluster::Communicator& communicator, ExitCode code, const std::string& message) {
  if (!communicator.root()) std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::string who =
      communicator.root() ? "" : fmt::format("rank {} ({}): ", communicator.rank(), communicator.host());
  fmt::print(stderr, "atoll: {}{}\n", who, message);
  std::fflush(nullptr);
  communicator.abort(static_cast<int>(code));
}

int guarded(const std::function<int()>& work, const cluster::Communicator& communicator) {
  ExitCode code = ExitCode::internal;
  std::string message;
  bool agreed = communicator.size() == 1;
  try {
    return work();
  } catch (const AgreedError& error) {
    code = error.code();
    message = error.what();
    agreed = true;
  } catch (const Error& error) {
    code = error.code();
    message = error.what();
  } catch (const std::bad_alloc&) {
    message = "out of memory";
  } catch (const std::exception& error) {
    message = fmt::format("internal fault: {}", error.what());
  }
  if (!agreed) end_all(communicator, code, message);
  if (communicator.root()) fmt::print(stderr, "atoll: {}\n", message);
  return static_cast<int>(code);
}

int run_all_ranks(int argc, char** argv, std::chrono::steady_clock::time_point process_start) {
  const cluster::Communicator communicator;
  CLI::App app;
  app.name("atoll");
  CommandLine line;
  describe(app, line);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const ParseReply reply = reply_to(app, error);
    if (communicator.root()) fmt::print(reply.code == 0 ? stdout : stderr, "{}", reply.text);
    return reply.code;
  }
  const std::string command = command_line(argc, argv);
  return guarded([&] { return start(app, line, command, communicator, process_start); }, communicator);
}

}  // namespace

int run(int argc, char** argv) {
  const auto process_start = std::chrono::steady_clock::now();
  try {
    const cluster::Environment environment(&argc, &argv);
    const int code = run_all_ranks(argc, argv, process_start);
    std::fflush(nullptr);
    return code;
  } catch (const Error& error) {  // no MPI: every process is alone, and one of them speaks
    const char* task = std::getenv("SLURM_PROCID");
    if (task == nullptr || std::string(task) == "0") fmt::print(stderr, "atoll: {}\n", error.what());
    return static_cast<int>(error.code());
  }
}

}  // namespace atl::cli
