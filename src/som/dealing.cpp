#include "som/dealing.hpp"

#include <algorithm>
#include <numeric>

namespace atl::som {
namespace {

// A batch is this part of what the worker should still get. While a worker's speed is unknown the part is small: a rank
// that turns out four times slower must not hold more than it can finish with the others.
constexpr double known_part = 1.0 / 3;
constexpr double unknown_part = 1.0 / 8;

}  // namespace

Dealer::Dealer(const std::vector<double>& costs, const std::vector<std::uint64_t>& bytes, int workers,
               BatchLimits limits)
    : order_(costs.size()), costs_(costs), bytes_(bytes), workers_(static_cast<std::size_t>(workers)), limits_(limits) {
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  std::stable_sort(order_.begin(), order_.end(), [&](std::int64_t a, std::int64_t b) {
    return costs_[static_cast<std::size_t>(a)] > costs_[static_cast<std::size_t>(b)];
  });
  remaining_ = std::accumulate(costs_.begin(), costs_.end(), 0.0);
}

void Dealer::set_width(int worker, std::size_t maps) {
  workers_[static_cast<std::size_t>(worker)].width = std::max<std::size_t>(maps, 1);
}

void Dealer::set_speed(int worker, double cost_per_second) {
  workers_[static_cast<std::size_t>(worker)].estimate = cost_per_second;
}

/// Measured where a worker has finished a batch; else its estimate, corrected by how the measured ones were off.
std::vector<double> Dealer::speeds() const {
  double measured = 0;
  double estimated = 0;
  for (const Worker& worker : workers_) {
    if (worker.seconds <= 0) continue;
    measured += worker.done / worker.seconds;
    estimated += worker.estimate;
  }
  const double correction = estimated > 0 ? measured / estimated : 1;
  std::vector<double> speed;
  for (const Worker& worker : workers_)
    speed.push_back(worker.seconds > 0 ? worker.done / worker.seconds : worker.estimate * correction);
  return speed;
}

// If all workers are to end together, each gets its speed's share of everything not yet finished.
double Dealer::wanted_cost(int worker) const {
  const auto me = static_cast<std::size_t>(worker);
  const std::vector<double> speed = speeds();
  const double most = speed[me] * limits_.seconds;
  if (workers_.size() == 1) return std::min(remaining_, most);
  double unfinished = remaining_;
  for (const Worker& other : workers_) unfinished = std::accumulate(other.held.begin(), other.held.end(), unfinished);
  const double share = speed[me] / std::accumulate(speed.begin(), speed.end(), 0.0) * unfinished;
  const double held = std::accumulate(workers_[me].held.begin(), workers_[me].held.end(), 0.0);
  return std::min(most, (share - held) * (workers_[me].seconds > 0 ? known_part : unknown_part));
}

std::vector<std::int64_t> Dealer::deal(int worker) {
  Worker& me = workers_[static_cast<std::size_t>(worker)];
  const double wanted = wanted_cost(worker);
  if (empty() || (wanted <= 0 && !me.held.empty())) return {};
  const std::size_t left = order_.size() - next_;
  const std::size_t at_least = std::min(me.width, (left + workers_.size() - 1) / workers_.size());
  std::size_t count = longest_first(wanted);
  // A wide device takes many maps in the time of one. Were those the longest that are left, one rank would get all the
  // long ones: it gets a cross-section instead.
  if (count < at_least) count = bring_forward(at_least);
  std::vector<std::int64_t> batch;
  double cost = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = next_; i < next_ + count; ++i) {
    const auto item = static_cast<std::size_t>(order_[i]);
    if (!batch.empty() && (batch.size() == limits_.maps || bytes + bytes_[item] > limits_.bytes)) break;
    batch.push_back(order_[i]);
    cost += costs_[item];
    bytes += bytes_[item];
  }
  next_ += batch.size();
  remaining_ = empty() ? 0 : remaining_ - cost;
  me.held.push_back(cost);
  return batch;
}

/// How many of the next items make up `wanted`: the one that would overshoot goes in when more than half of it is
/// wanted.
std::size_t Dealer::longest_first(double wanted) const {
  std::size_t count = 1;
  double cost = costs_[static_cast<std::size_t>(order_[next_])];
  while (next_ + count < order_.size() && count < limits_.maps) {
    const double next = costs_[static_cast<std::size_t>(order_[next_ + count])];
    if (cost + next / 2 > wanted) break;
    cost += next;
    ++count;
  }
  return count;
}

/// Moves `count` evenly spaced ones of the items that are left to their front, both parts in their old order.
std::size_t Dealer::bring_forward(std::size_t count) {
  const std::size_t left = order_.size() - next_;
  std::vector<std::int64_t> chosen;
  std::vector<std::int64_t> rest;
  for (std::size_t i = 0; i < left; ++i)
    (i * count / left != (i + 1) * count / left ? chosen : rest).push_back(order_[next_ + i]);
  const auto middle = std::copy(chosen.begin(), chosen.end(), order_.begin() + static_cast<std::ptrdiff_t>(next_));
  std::copy(rest.begin(), rest.end(), middle);
  return count;
}

void Dealer::finished(int worker, double seconds) {
  Worker& me = workers_[static_cast<std::size_t>(worker)];
  if (me.held.empty()) return;
  me.done += me.held.front();
  me.seconds += std::max(seconds, 1e-9);
  me.held.erase(me.held.begin());
}

}  // namespace atl::som
