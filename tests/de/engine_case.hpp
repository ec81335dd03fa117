// A search on a device beside the same search by the serial references.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "de/engine.hpp"
#include "de/host_objective.hpp"
#include "de/sample_problem.hpp"
#include "de/search_reference.hpp"

namespace atl::de {

/// Equal bits; all NaN are one.
inline bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

struct EngineCase {
  std::string name;
  config::DeSettings settings;
  HostObjective objective;  // f(x) in the arithmetic of the kernels; empty: the host's own
  std::int64_t first_island = 0, islands = 1;
  std::vector<double> given = {};  // first members
};

/// A case with all that an engine or a reference refers to.
class Prepared {
 public:
  explicit Prepared(EngineCase engine_case)
      : case_(std::move(engine_case)),
        problem_(make_problem(case_.settings)),
        island_(plan_island(case_.settings, problem_)),
        objective_(case_.objective ? case_.objective : host_objective(problem_)) {}

  [[nodiscard]] const std::string& name() const { return case_.name; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const IslandPlan& island() const { return island_; }

  [[nodiscard]] DevicePlan plan(const device::Device& device, std::optional<char> shape = std::nullopt) const {
    return plan_device(island_, case_.settings, problem_, device.info, case_.islands, case_.islands, shape);
  }

  /// A plan as GPUs get it, for any device.
  [[nodiscard]] DevicePlan group_plan(Shape shape, int group, bool island_is_local, int row_group = 1) const {
    DevicePlan plan;
    plan.shape = shape;
    plan.group = group;
    plan.stride = (island_.members + group - 1) / group * group;
    plan.island_is_local = island_is_local;
    plan.row_group = row_group;
    return plan;
  }

  [[nodiscard]] Engine engine(const device::Device& device, const DevicePlan& plan) const {
    return Engine(device, {problem_, case_.settings, island_, plan, case_.first_island, case_.islands, case_.given});
  }

  [[nodiscard]] reference::Search serial() const {
    return serial([this](const reference::Point& u) { return objective_(decode(problem_, u)); });
  }
  [[nodiscard]] reference::Search serial(reference::Objective objective) const {
    return {problem_, case_.settings, island_, std::move(objective), case_.first_island, case_.islands, case_.given};
  }

 private:
  EngineCase case_;
  Problem problem_;
  IslandPlan island_;
  HostObjective objective_;
};

/// Where members or energies of the engine are not those of the reference; empty when all bits agree.
inline std::string different_members(Engine& engine, const reference::Search& expected) {
  const Populations found = engine.download();
  const auto members = static_cast<std::size_t>(found.members);
  for (std::size_t i = 0; i < expected.islands.size(); ++i) {
    const reference::Island& island = expected.islands[i].island;
    const std::string place = fmt::format("generation {}, island {}: ", island.generation, i);
    if (members != island.population.size())
      return fmt::format("{}{} members instead of {}", place, members, island.population.size());
    for (std::size_t m = 0; m < members; ++m) {
      const std::size_t row = i * members + m, free = island.population[m].size();
      for (std::size_t k = 0; k < free; ++k)
        if (!same(found.points[row * free + k], island.population[m][k]))
          return fmt::format("{}gene {} of member {} is {:.17g} instead of {:.17g}", place, k, m,
                             found.points[row * free + k], island.population[m][k]);
      if (!same(found.energies[row], island.energies[m]))
        return fmt::format("{}energy of member {} is {:.17g} instead of {:.17g}", place, m, found.energies[row],
                           island.energies[m]);
    }
  }
  return "";
}

/// The same for counters and memories.
inline std::string different_counters(Engine& engine, const reference::Search& expected) {
  const auto counters = engine.counters();
  for (std::size_t i = 0; i < expected.islands.size(); ++i) {
    const reference::Island& island = expected.islands[i].island;
    const std::string place = fmt::format("generation {}, island {}: ", island.generation, i);
    const auto compare = [&](const char* what, std::int64_t found, std::int64_t wanted) {
      return found == wanted ? "" : fmt::format("{}{} is {} instead of {}", place, what, found, wanted);
    };
    for (const std::string& fault :
         {compare("evaluations", engine.schedule().evaluations(), island.evaluations),
          compare("members", counters[i].members, static_cast<std::int64_t>(island.population.size())),
          compare("nan", counters[i].nan, island.nan), compare("inf", counters[i].inf, island.inf),
          compare("value_to_reach_nfev", counters[i].value_to_reach_nfev, island.value_to_reach_nfev)})
      if (!fault.empty()) return fault;
    if (const auto* jso = std::get_if<reference::Jso>(&expected.islands[i].algorithm)) {
      const auto memories = engine.memories(static_cast<std::int64_t>(i));
      for (std::size_t slot = 0; slot < reference::Jso::slots; ++slot)
        if (!same(memories[slot], jso->memory_f[slot]) ||
            !same(memories[reference::Jso::slots + slot], jso->memory_cr[slot]))
          return fmt::format("{}memory slot {} is {:.17g}, {:.17g} instead of {:.17g}, {:.17g}", place, slot,
                             memories[slot], memories[reference::Jso::slots + slot], jso->memory_f[slot],
                             jso->memory_cr[slot]);
    }
  }
  return "";
}

inline std::string difference(Engine& engine, const reference::Search& expected) {
  const std::string members = different_members(engine, expected);
  return members.empty() ? different_counters(engine, expected) : members;
}

/// Runs both for `generations` or to the end of the budget, comparing after each, then a second engine in one launch.
inline void expect_same_search(const Prepared& prepared, const device::Device& device, const DevicePlan& plan,
                               std::int64_t generations, const std::string& label = "") {
  SCOPED_TRACE(prepared.name() + " " + label + " on " + device.info.name);
  reference::Search expected = prepared.serial();
  Engine engine = prepared.engine(device, plan);
  engine.initialize();
  expected.initialize();
  ASSERT_EQ(difference(engine, expected), "");
  std::int64_t done = 0;
  for (; done < generations && !expected.exhausted(); ++done) {
    engine.advance(1);
    expected.advance(1);
    ASSERT_EQ(difference(engine, expected), "");
  }
  if (done == 0) return;
  Engine at_once = prepared.engine(device, plan);
  at_once.initialize();
  at_once.warm_up();
  at_once.advance(done);
  EXPECT_EQ(difference(at_once, expected), "") << "in one launch";
}

}  // namespace atl::de
