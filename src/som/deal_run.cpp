#include "som/deal_run.hpp"

#include <algorithm>

#include "som/deal_protocol.hpp"

namespace atl::som {
namespace {

constexpr std::size_t outbox_bytes = std::size_t{1} << 20;  // stays in the caches of a core
constexpr double outbox_seconds = 0.5;

/// Width (for the map in the middle of the list) and speed of every rank's device.
std::vector<RankAbility> gather_abilities(const cluster::Communicator& communicator, const DealtWork& work,
                                          const RankDevice& device) {
  std::size_t width = 1;
  if (device.width && !work.maps.empty()) {
    std::vector<std::size_t> order(work.maps.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
    std::nth_element(order.begin(), middle, order.end(),
                     [&](std::size_t a, std::size_t b) { return work.costs[a] < work.costs[b]; });
    width = std::max<std::size_t>(device.width(work.maps[*middle]), 1);
  }
  std::vector<RankAbility> abilities;
  for (const std::string& text : communicator.gather_all(fmt::format("{} {}", width, device.speed)))
    abilities.push_back({std::stoull(text), std::stod(text.substr(text.find(' ')))});
  return abilities;
}

/// Rank 0's outcome on every rank: "" or "stop REASON" or "fail CODE MESSAGE".
void share_outcome(const cluster::Communicator& communicator, DealOutcome& outcome,
                   const std::optional<Error>& failure) {
  std::string text;
  if (!outcome.stop_reason.empty()) text = "stop " + outcome.stop_reason;
  if (failure) text = fmt::format("fail {} {}", static_cast<int>(failure->code()), failure->what());
  text = communicator.broadcast(text);
  if (text.starts_with("stop ")) outcome.stop_reason = text.substr(5);
  if (!text.starts_with("fail ")) return;
  const std::size_t space = text.find(' ', 5);
  throw Error(static_cast<ExitCode>(std::stoi(text.substr(5, space - 5))), text.substr(space + 1));
}

}  // namespace

void Outbox::add(std::size_t position, TrainedMap&& map) {
  if (batch_.index.empty()) since_ = now();
  batch_.rank = rank_;
  hooks_.pack(batch_, work_.index[position], std::move(map));
  const std::size_t bytes = batch_.weights.size() +
                            (batch_.assignments.size() + batch_.hits.size()) * sizeof(std::int32_t) +
                            batch_.index.size() * sizeof(store::SomMeasures);
  if (bytes >= outbox_bytes || now() - since_ > outbox_seconds) flush();
}

void Outbox::flush() {
  if (batch_.index.empty()) return;
  store::SomBatch next;  // most likely about as long
  next.index.reserve(batch_.index.size());
  next.seconds.reserve(batch_.seconds.size());
  next.measures.reserve(batch_.measures.size());
  next.weights.reserve(batch_.weights.size());
  next.assignments.reserve(batch_.assignments.size());
  next.hits.reserve(batch_.hits.size());
  send_(std::exchange(batch_, std::move(next)));
}

bool train_positions(const DealtWork& work, const DealHooks& hooks, const std::vector<std::int64_t>& positions,
                     Outbox& outbox, const std::function<bool()>& stop) {
  std::vector<MapSetting> maps;
  maps.reserve(positions.size());
  for (const std::int64_t position : positions) maps.push_back(work.maps[static_cast<std::size_t>(position)]);
  const bool all = hooks.train(
      maps,
      [&](std::size_t i, TrainedMap&& map) { outbox.add(static_cast<std::size_t>(positions[i]), std::move(map)); },
      stop);
  outbox.flush();
  return all;
}

DealOutcome train_on_all_ranks(const cluster::Communicator& communicator, const DealtWork& work,
                               const DealHooks& hooks) {
  const std::vector<RankAbility> abilities = gather_abilities(communicator, work, hooks.device);
  DealOutcome outcome;
  std::optional<Error> failure;
  {
    cluster::Mailbox mailbox(part_bytes);
    if (communicator.root()) {
      outcome = run_root(mailbox, work, hooks, abilities, failure);
    } else {
      run_worker(mailbox, work, hooks);
    }
  }
  share_outcome(communicator, outcome, failure);
  return outcome;
}

}  // namespace atl::som
