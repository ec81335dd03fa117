// What the serial references of all algorithms share: one island as plain vectors. The rules are those of the papers;
// only the random numbers, and which word of them decides what, are the kernels' own (kernels/common/draws.cl and the
// comments of kernels/de/).
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "config/de_settings.hpp"
#include "de/rules.hpp"

namespace atl::de::reference {

using Point = std::vector<double>;  // search coordinates u
using Objective = std::function<double(const Point& u)>;

struct Box {
  Point lower, upper;
};

struct Island {
  std::uint64_t seed = 1;
  std::uint32_t id = 0;  // over the whole job
  Box box;
  std::int64_t budget = 0;  // evaluations
  double value_to_reach = -std::numeric_limits<double>::infinity();

  std::vector<Point> population;
  std::vector<double> energies;
  std::int64_t generation = 0, evaluations = 0;
  std::int64_t nan = 0, inf = 0, value_to_reach_nfev = -1;
};

/// The random words of one (kind, member, generation) of an island, numbered from 0.
class Words {
 public:
  Words(const Island& island, std::uint32_t kind, std::int64_t member, std::int64_t generation)
      : seed_(island.seed),
        island_(island.id),
        kind_(kind),
        member_(static_cast<std::uint32_t>(member)),
        generation_(static_cast<std::uint32_t>(generation)) {}

  std::uint32_t operator[](std::size_t index) const {
    return draws64::draw_word(seed_, kind_, static_cast<std::uint32_t>(index), member_, generation_, island_);
  }

 private:
  std::uint64_t seed_;
  std::uint32_t island_, kind_, member_, generation_;
};

/// Numbers, then +inf, then NaN; the lower index first among equals.
[[nodiscard]] bool better(double a, double b);
[[nodiscard]] std::vector<std::size_t> ranking(const std::vector<double>& energies);

[[nodiscard]] std::vector<Point> latin_hypercube(const Island& island, std::size_t members);
[[nodiscard]] std::vector<Point> uniform_members(const Island& island, std::size_t members);
/// Points of [0, 1)^D, row by row, moved by the island's own random vector modulo 1.
[[nodiscard]] std::vector<Point> shifted(const Island& island, const std::vector<double>& base_points,
                                         std::size_t members);

/// Generation 0: as many of the members as the budget allows get their energy, the rest +inf.
void start(Island& island, std::vector<Point> members, const Objective& objective);

/// A trial gene that left [lower, upper] comes back; `k` is its coordinate.
[[nodiscard]] double repaired(const Island& island, config::Bounds rule, double gene, double parent, std::size_t k,
                              std::size_t member);

/// Whether gene number `k` of a member crosses: sixteen bits below CR. `first` is the word where these bits begin.
[[nodiscard]] bool crosses(const Words& vary, std::size_t first, std::size_t k, double crossover_probability);

/// Energies of the trials of one generation, with all counters kept.
[[nodiscard]] std::vector<double> evaluate(Island& island, const std::vector<Point>& trials,
                                           const Objective& objective);

/// One to one selection: a trial survives unless it is worse than its parent.
void survive(Island& island, const std::vector<Point>& trials, const std::vector<double>& trial_energies);

/// Trials of the coming generation: all members, or what is left of the budget.
[[nodiscard]] std::size_t trials_due(const Island& island);

}  // namespace atl::de::reference
