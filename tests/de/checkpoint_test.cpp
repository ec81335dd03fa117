// Engines that are put back to a generation go on with the same bits, also with other islands beside them.
#include <gtest/gtest.h>

#include "de/checkpoint_islands.hpp"
#include "de/engine_case.hpp"
#include "de/every_device.hpp"

namespace atl::de {
namespace {

using config::AlgorithmName;
using config::Precision;

class EngineState : public EveryDevice {
 protected:
  static EngineCase rosenbrock(AlgorithmName name, Precision precision) {
    EngineCase result{"rosenbrock", sample::benchmark("rosenbrock", 5, -5, 5), {}};
    result.settings.algorithm.name = name;
    result.settings.algorithm.population = 37;  // no multiple of any group
    result.settings.stop.evaluations = 3000;
    result.settings.run.precision = precision;
    result.settings.run.seed = 42;
    result.islands = 3;
    return result;
  }
};

void expect_equal(const IslandStates& a, const IslandStates& b) {
  EXPECT_EQ(a.members, b.members);
  EXPECT_EQ(a.populations, b.populations);
  EXPECT_EQ(a.energies, b.energies);
  EXPECT_EQ(a.memories, b.memories);
  EXPECT_EQ(a.counters, b.counters);
}

IslandStates undisturbed(const Prepared& prepared, const device::Device& device, const DevicePlan& plan,
                         std::int64_t generations) {
  Engine engine = prepared.engine(device, plan);
  engine.initialize();
  engine.advance(generations);
  return engine.snapshot();
}

/// One generation count after the other, each by a new engine that starts from the state before.
IslandStates in_legs(const Prepared& prepared, const device::Device& device, const std::vector<DevicePlan>& plans,
                     const std::vector<std::int64_t>& legs) {
  IslandStates states;
  std::int64_t generation = 0, evaluations = 0;
  for (std::size_t leg = 0; leg < legs.size(); ++leg) {
    Engine engine = prepared.engine(device, plans[leg % plans.size()]);
    if (leg == 0)
      engine.initialize();
    else
      engine.restore(states, generation, evaluations);
    engine.warm_up();
    engine.advance(legs[leg]);
    states = engine.snapshot();
    generation = engine.generation();
    evaluations = engine.schedule().evaluations();
  }
  return states;
}

TEST_F(EngineState, ResumedOnceOrThreeTimesGivesTheSameBits) {
  for (const auto& device : devices)
    for (const AlgorithmName name : {AlgorithmName::classic, AlgorithmName::jso})
      for (const Precision precision : {Precision::real64, Precision::real32}) {
        SCOPED_TRACE(fmt::format("{} {}", config::name_of(name), config::name_of(precision)));
        const Prepared prepared(rosenbrock(name, precision));
        const DevicePlan plan = prepared.plan(device);
        const IslandStates whole = undisturbed(prepared, device, plan, 100);

        expect_equal(in_legs(prepared, device, {plan}, {50, 50}), whole);
        expect_equal(in_legs(prepared, device, {plan}, {1, 32, 60, 7}), whole);
      }
}

TEST_F(EngineState, OtherPaddingAndTheOtherKernelShapeGoOnWithTheSameBits) {
  for (const auto& device : devices) {
    const Prepared prepared(rosenbrock(AlgorithmName::jso, Precision::real64));
    const DevicePlan plan = prepared.plan(device, 'A');
    DevicePlan wider = plan;  // the same kernels in larger groups: more padding
    wider.group = 2 * plan.group;
    wider.stride = (plan.stride + wider.group) / wider.group * wider.group;
    const std::vector<DevicePlan> plans = {plan, wider, prepared.plan(device, 'B')};

    expect_equal(in_legs(prepared, device, plans, {20, 20, 20}), undisturbed(prepared, device, plan, 60));
  }
}

TEST_F(EngineState, IslandsDealtAnewGoOnWithTheSameBits) {
  const device::Device& device = devices.front();
  EngineCase all = rosenbrock(AlgorithmName::jso, Precision::real64);
  all.islands = 5;
  const Prepared prepared(all);
  const DevicePlan plan = prepared.plan(device);
  Engine first = prepared.engine(device, plan);
  first.initialize();
  first.advance(20);
  const IslandStates states = first.snapshot();

  IslandStates joined;
  for (const auto& [begin, count] : {std::pair<std::int64_t, std::int64_t>{0, 2}, {2, 3}}) {
    EngineCase part = all;
    part.first_island = begin;
    part.islands = count;
    const Prepared here(part);
    Engine engine = here.engine(device, here.plan(device));
    engine.restore(island_states(to_bytes(part_of(states, 5, begin, count))), 20, first.schedule().evaluations());
    engine.advance(20);
    append(joined, engine.snapshot());
  }

  expect_equal(joined, undisturbed(prepared, device, plan, 40));
}

TEST(IslandStates, PaddingComesAndGoes) {
  std::vector<std::byte> rows;
  for (const int value : {1, 2, 3, 4, 5, 6}) rows.push_back(static_cast<std::byte>(value));

  const auto padded = with_padding(rows, 4, 3, 1);

  EXPECT_EQ(padded.size(), 8U);
  EXPECT_EQ(padded[3], std::byte{3}) << "the last value is repeated";
  EXPECT_EQ(without_padding(padded, 4, 3, 1), rows);
}

}  // namespace
}  // namespace atl::de
