#include "de/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "de/take_memory.hpp"

namespace atl::de {
namespace {

constexpr std::size_t longest_history = 10'000;
constexpr std::size_t most_island_values = 64'000'000;  // 512 MB of island_best

struct Pooled {
  double best, mean, std;
};

/// Statistics of all members from those of the islands, in the order of the islands.
Pooled pool(const std::vector<IslandStatistics>& islands) {
  double best = islands.front().best, sum = 0, squares = 0;
  std::int64_t finite = 0;
  for (const IslandStatistics& island : islands) {
    if (island.best < best || (std::isnan(best) && !std::isnan(island.best))) best = island.best;
    if (island.finite == 0) continue;
    sum += island.mean * static_cast<double>(island.finite);
    finite += island.finite;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (finite == 0) return {best, nan, nan};
  const double mean = sum / static_cast<double>(finite);
  for (const IslandStatistics& island : islands) {
    if (island.finite == 0) continue;
    const double away = island.mean - mean;
    squares += (island.std * island.std + away * away) * static_cast<double>(island.finite);
  }
  return {best, mean, std::sqrt(squares / static_cast<double>(finite))};
}

template <typename T>
void keep_even_rows(std::vector<T>& values, std::size_t width) {
  std::size_t kept = 0;
  for (std::size_t row = 0; row * width < values.size(); row += 2, ++kept)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(kept * width));
  values.resize(kept * width);
}

}  // namespace

History::History(std::int64_t islands)
    : islands_(static_cast<std::size_t>(islands)),
      longest_(std::max<std::size_t>(16, std::min(longest_history, most_island_values / islands_))) {
  constexpr std::size_t bytes = 8 << 20, addresses = 64 << 20;
  const std::size_t row = sizeof(double) * (6 + islands_);
  const std::size_t now = std::min(longest_, bytes / row), later = std::min(longest_, addresses / row);
  for (auto* column : {&seconds, &best, &mean, &std}) take_memory(*column, now, later);
  for (auto* column : {&generation, &evaluations}) take_memory(*column, now, later);
  take_memory(island_best, now * islands_, later * islands_);
}

void History::add(std::int64_t at_generation, std::int64_t at_evaluations, double at_seconds,
                  const std::vector<IslandStatistics>& islands) {
  const bool again = !generation.empty() && generation.back() == at_generation;
  if (again || thinning_.last_is_extra) {  // the last row was only kept for being the last
    for (auto* column : {&seconds, &best, &mean, &std}) column->pop_back();
    generation.pop_back();
    evaluations.pop_back();
    island_best.resize(island_best.size() - islands_);
    if (again && !thinning_.last_is_extra) --thinning_.seen;
  }
  if (generation.size() >= longest_) thin();
  thinning_.last_is_extra = thinning_.seen % thinning_.stride != 0;
  ++thinning_.seen;
  const Pooled pooled = pool(islands);
  generation.push_back(at_generation);
  evaluations.push_back(at_evaluations);
  seconds.push_back(at_seconds);
  best.push_back(pooled.best);
  mean.push_back(pooled.mean);
  std.push_back(pooled.std);
  for (const IslandStatistics& island : islands) island_best.push_back(island.best);
}

void History::thin() {
  for (auto* column : {&seconds, &best, &mean, &std}) keep_even_rows(*column, 1);
  keep_even_rows(generation, 1);
  keep_even_rows(evaluations, 1);
  keep_even_rows(island_best, islands_);
  thinning_.stride *= 2;
}

}  // namespace atl::de
