// A whole search in serial C++: islands of any algorithm, and migration between them.
#pragma once
#include <variant>

#include "de/classic_reference.hpp"
#include "de/jso_reference.hpp"
#include "de/plan.hpp"
#include "de/problem.hpp"

namespace atl::de::reference {

struct SearchedIsland {
  Island island;
  std::variant<Classic, Jso> algorithm;
};

struct Migrant {
  std::int64_t generation = 0, source = 0, destination = 0;
  double energy = 0;
  Point point;
};

class Search {
 public:
  /// Islands first_island .. first_island + islands - 1 of a job. `given`: first members as EngineSetup::initial.
  Search(const Problem& problem, const config::DeSettings& settings, const IslandPlan& plan, Objective objective,
         std::int64_t first_island, std::int64_t islands, std::vector<double> given = {});

  void initialize();
  void advance(std::int64_t generations);
  /// One exchange among the islands held here, which must be all of the job. Returns the accepted ones in the order
  /// (destination, arrival).
  std::vector<Migrant> migrate();

  [[nodiscard]] bool exhausted() const;
  std::vector<SearchedIsland> islands;

 private:
  [[nodiscard]] std::vector<Point> first_members(const Island& island) const;
  const Problem& problem_;
  const config::DeSettings& settings_;
  IslandPlan plan_;
  Objective objective_;
  std::vector<double> given_;
};

/// Members that leave an island, in the order in which they are listed.
[[nodiscard]] std::vector<std::size_t> emigrants(const Island& island, config::Selection selection, std::size_t count);

}  // namespace atl::de::reference
