#include "som/dealing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

namespace atl::som {
namespace {

/// The ranks of a job against a clock that only counts: every rank holds the batch it works on and one more, as the run
/// does. `slowness[r]` multiplies the time rank r needs. Returns when each rank finished its last batch.
struct Simulation {
  std::vector<double> end;
  std::vector<int> dealt;  // times each item was dealt
  std::size_t batches = 0;
};

Simulation simulate(const std::vector<double>& costs, const std::vector<double>& slowness, std::size_t width = 1) {
  const int ranks = static_cast<int>(slowness.size());
  Dealer dealer(costs, std::vector<std::uint64_t>(costs.size(), 1), ranks, {});
  Simulation result{std::vector<double>(slowness.size(), 0), std::vector<int>(costs.size(), 0), 0};
  struct Held {
    double cost, ready;  // ready: when it was dealt
  };
  std::vector<std::deque<Held>> held(slowness.size());
  std::vector<double> free_at(slowness.size(), 0);  // when the rank ends the batch at the front
  double now = 0;
  const auto fill = [&](std::size_t r) {
    while (held[r].size() < 2) {
      const auto batch = dealer.deal(static_cast<int>(r));
      if (batch.empty()) return;
      double cost = 0;
      for (const auto item : batch) {
        ++result.dealt[static_cast<std::size_t>(item)];
        cost += costs[static_cast<std::size_t>(item)];
      }
      ++result.batches;
      if (held[r].empty()) free_at[r] = now + cost * slowness[r];
      held[r].push_back({cost, now});
    }
  };
  for (std::size_t r = 0; r < slowness.size(); ++r) {
    dealer.set_width(static_cast<int>(r), width);
    fill(r);
  }
  while (true) {
    std::size_t first = slowness.size();
    for (std::size_t r = 0; r < slowness.size(); ++r)
      if (!held[r].empty() && (first == slowness.size() || free_at[r] < free_at[first])) first = r;
    if (first == slowness.size()) return result;
    now = free_at[first];
    result.end[first] = now;
    dealer.finished(static_cast<int>(first), held[first].front().cost * slowness[first]);
    held[first].pop_front();
    if (!held[first].empty()) free_at[first] = now + held[first].front().cost * slowness[first];
    for (std::size_t r = 0; r < slowness.size(); ++r) fill(r);
  }
}

std::vector<double> ring_costs(int first, int last) {
  std::vector<double> costs;
  for (int n = first; n <= last; ++n) costs.push_back(149.0 * 2000 * (n + 16));
  return costs;
}

TEST(Dealer, FourEqualRanksFinishTogether) {
  const auto costs = ring_costs(2, 1024);

  const Simulation run = simulate(costs, {1, 1, 1, 1});

  const double mean = std::accumulate(run.end.begin(), run.end.end(), 0.0) / 4;
  EXPECT_LE(*std::max_element(run.end.begin(), run.end.end()), 1.1 * mean);
}

TEST(Dealer, ARankFourTimesSlowerHoldsNobodyUp) {
  const auto costs = ring_costs(2, 1024);
  for (std::size_t slow = 0; slow < 4; ++slow) {
    std::vector<double> slowness(4, 1.0);
    slowness[slow] = 4;

    const Simulation run = simulate(costs, slowness);

    const double ideal = std::accumulate(costs.begin(), costs.end(), 0.0) / 3.25;
    EXPECT_LE(*std::max_element(run.end.begin(), run.end.end()), 1.2 * ideal) << "slow rank " << slow;
  }
}

TEST(Dealer, EveryItemIsDealtExactlyOnce) {
  for (const std::size_t items : {0U, 1U, 3U, 5U, 127U, 1000U})
    for (const std::size_t ranks : {1U, 2U, 3U, 8U}) {
      std::vector<double> costs(items);
      for (std::size_t i = 0; i < items; ++i) costs[i] = 1.0 + static_cast<double>(i * 7919 % 97);

      const Simulation run = simulate(costs, std::vector<double>(ranks, 1.0));

      EXPECT_EQ(run.dealt, std::vector<int>(items, 1)) << items << " items on " << ranks << " ranks";
    }
}

TEST(Dealer, DealsLongestFirstAndTiesInOrder) {
  Dealer dealer({1, 5, 5, 9}, {1, 1, 1, 1}, 1, {});

  const auto batch = dealer.deal(0);

  EXPECT_EQ(batch, (std::vector<std::int64_t>{3, 1, 2, 0}));
}

TEST(Dealer, AWideDeviceIsNotFedOneMapAtATime) {
  const std::vector<double> costs(1000, 1.0);

  const Simulation run = simulate(costs, {1, 1}, 400);

  EXPECT_LE(run.batches, 8U);
}

TEST(Dealer, WideDevicesShareTheLongMaps) {
  const auto costs = ring_costs(2, 1024);
  Dealer dealer(costs, std::vector<std::uint64_t>(costs.size(), 1), 2, {});
  dealer.set_width(0, 1000);
  dealer.set_width(1, 1000);

  const auto cost_of = [&](const std::vector<std::int64_t>& batch) {
    double sum = 0;
    for (const auto item : batch) sum += costs[static_cast<std::size_t>(item)];
    return sum;
  };
  const double first = cost_of(dealer.deal(0));
  const double second = cost_of(dealer.deal(1));

  EXPECT_NEAR(first / second, 2.0, 0.02);  // half of all, then half of the rest: neither has more of the long ones
}

TEST(Dealer, ABatchThatWouldTakeTooLongIsCutDownToTheWidthOfTheDevice) {
  const std::vector<double> costs(100, 1.0);
  BatchLimits limits;
  limits.seconds = 10;
  Dealer dealer(costs, std::vector<std::uint64_t>(100, 1), 1, limits);
  dealer.set_speed(0, 2);

  EXPECT_EQ(dealer.deal(0).size(), 20U);  // by the estimate
  dealer.finished(0, 40);                 // it was four times too high
  EXPECT_EQ(dealer.deal(0).size(), 5U);
  dealer.finished(0, 10);
  dealer.set_width(0, 30);
  EXPECT_EQ(dealer.deal(0).size(), 30U);
}

TEST(Dealer, EstimatedSpeedsAreCorrectedByMeasuredOnes) {
  const std::vector<double> costs(1000, 1.0);
  Dealer dealer(costs, std::vector<std::uint64_t>(1000, 1), 2, {});
  dealer.set_speed(0, 300);
  dealer.set_speed(1, 100);

  const std::size_t fast = dealer.deal(0).size();
  const std::size_t slow = dealer.deal(1).size();

  EXPECT_NEAR(static_cast<double>(fast) / static_cast<double>(slow), 3.0, 0.2);
}

TEST(Dealer, BatchesStayBelowTheirLimits) {
  const std::vector<double> costs(100, 1.0);
  std::vector<std::uint64_t> bytes(100, 10);
  bytes[0] = 1000;
  Dealer dealer(costs, bytes, 1, {7, 50});

  EXPECT_EQ(dealer.deal(0), (std::vector<std::int64_t>{0}));  // larger than the limit: alone
  dealer.finished(0, 1);
  EXPECT_EQ(dealer.deal(0).size(), 5U);
  dealer.finished(0, 1);

  Dealer by_count(costs, std::vector<std::uint64_t>(100, 1), 1, {7, 50});
  EXPECT_EQ(by_count.deal(0).size(), 7U);
}

}  // namespace
}  // namespace atl::som
