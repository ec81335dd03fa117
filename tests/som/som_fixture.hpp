// What the tests of the trainer share: the device, small data, settings.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "som/trainer.hpp"

namespace atl::device {
struct Device;
}

namespace atl::som {

/// The device that a user would get: one for the whole test program.
[[nodiscard]] const device::Device& test_device();

/// Uniform random points in [0, 1), by splitmix64: the generator of the published runs.
struct Splitmix {
  std::uint64_t state;
  std::uint64_t next();
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
};
[[nodiscard]] ScaledData random_points(std::size_t rows, std::size_t columns, std::uint64_t seed);
[[nodiscard]] ScaledData points_of(std::vector<std::vector<double>> rows);

[[nodiscard]] TrainerInputs inputs_for(ScaledData data, config::Precision precision = config::Precision::real64);
[[nodiscard]] MapSetting line_of(config::MapTopology topology, int neurons, double sigma, double eta, int epochs);
[[nodiscard]] MapSetting grid_of(config::MapTopology topology, int rows, int columns, double sigma, double eta,
                                 int epochs);

/// All maps, in the order of `maps`.
[[nodiscard]] std::vector<TrainedMap> train_all(TrainerInputs inputs, const std::vector<MapSetting>& maps);

void expect_same_bits(const TrainedMap& a, const TrainedMap& b, const std::string& what);
void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance, const std::string& what);
/// Every measure within a relative tolerance; NaN equals NaN.
void expect_near(const Measures& a, const Measures& b, double tolerance, const std::string& what);

}  // namespace atl::som
