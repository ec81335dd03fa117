// How a search went: one row at generation 0, at each exchange (or interval) and at the end, thinned evenly when long.
#pragma once
#include <cstdint>
#include <vector>

#include "de/engine.hpp"

namespace atl::de {

class History {
 public:
  explicit History(std::int64_t islands);

  /// All islands of the job, in order. A second row of the same generation replaces the first.
  void add(std::int64_t generation, std::int64_t evaluations, double seconds,
           const std::vector<IslandStatistics>& islands);

  [[nodiscard]] std::size_t rows() const { return generation.size(); }

  /// Which of the rows offered are kept: every stride-th, and always the last.
  struct Thinning {
    std::int64_t stride = 1, seen = 0;
    bool last_is_extra = false;
  };
  [[nodiscard]] const Thinning& thinning() const { return thinning_; }
  void set_thinning(const Thinning& thinning) { thinning_ = thinning; }

  std::vector<std::int64_t> generation, evaluations;
  std::vector<double> seconds, best, mean, std;  // over all members of all islands; mean and std of the finite energies
  std::vector<double> island_best;               // rows * islands

 private:
  void thin();
  std::size_t islands_, longest_;
  Thinning thinning_;
};

}  // namespace atl::de
