#include "cli/agreement.hpp"

#include <exception>
#include <string>
#include <vector>

namespace atl::cli {
namespace {

/// "" for none, else the code and the message.
std::string outcome_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return fmt::format("{} {}", static_cast<int>(error.code()), error.what());
  } catch (const std::exception& error) {
    return fmt::format("{} internal fault: {}", static_cast<int>(ExitCode::internal), error.what());
  }
  return "";
}

}  // namespace

void together(const cluster::Communicator& communicator, const std::function<void()>& work) {
  const std::string mine = outcome_of(work);
  if (communicator.max(std::int64_t{!mine.empty()}) == 0) return;
  const std::vector<std::string> outcomes = communicator.gather_all(mine);
  const std::vector<std::string> hosts = communicator.gather_all(communicator.host());
  std::size_t rank = 0;
  while (outcomes[rank].empty()) ++rank;
  const std::size_t space = outcomes[rank].find(' ');
  const auto code = static_cast<ExitCode>(std::stoi(outcomes[rank].substr(0, space)));
  const std::string message = outcomes[rank].substr(space + 1);
  if (rank == 0) throw AgreedError(code, message);
  throw AgreedError(code, fmt::format("rank {} ({}): {}", rank, hosts[rank], message));
}

}  // namespace atl::cli
