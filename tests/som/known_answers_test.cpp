// Runs whose results others published: the reference rings, the shuffled table, iris, the batch case.
#include <cmath>
#include <numeric>

#include "data/table.hpp"
#include "device/opencl.hpp"
#include "som/som_fixture.hpp"
#include "store/hdf5.hpp"

namespace atl::som {
namespace {

using config::MapTopology;

Codebook codebook_from(const store::ReadFile& file, const std::string& path) {
  const auto values = file.doubles(path);
  return {static_cast<std::int32_t>(file.shape(path).front()), values};
}

/// Smallest largest difference over the 2N rotations and reflections of a ring.
double aligned_difference(const std::vector<double>& a, const std::vector<double>& b, int neurons) {
  const std::size_t m = a.size() / static_cast<std::size_t>(neurons);
  double best = INFINITY;
  for (int turn = 0; turn < neurons; ++turn)
    for (const int direction : {1, -1}) {
      double worst = 0;
      for (int j = 0; j < neurons; ++j)
        for (std::size_t c = 0; c < m; ++c) {
          const int k = ((turn + direction * j) % neurons + neurons) % neurons;
          worst = std::max(worst, std::abs(a[j * m + c] - b[k * m + c]));
        }
      best = std::min(best, worst);
    }
  return best;
}

class ReferenceRing : public testing::TestWithParam<Variant> {};

TEST_P(ReferenceRing, WeightsAndAssignmentsAgreeTo1e9InFileOrder) {
  const store::ReadFile file(std::string(TEST_DATA) + "ring_sequential.h5");
  ScaledData data = random_points(2000, 3, 1);
  data.values = file.doubles("/data");
  TrainerInputs inputs = inputs_for(data);
  inputs.training.order = config::SampleOrder::sequential;
  inputs.training.initial = config::MapInitial::file;
  inputs.variant = GetParam();
  const std::vector<int> sizes = {2, 3, 4, 5, 7, 10, 16, 33};
  std::vector<MapSetting> maps;
  for (const int n : sizes) {
    maps.push_back(line_of(MapTopology::ring, n, 5, 1, 149));
    maps.back().codebook = static_cast<std::int32_t>(inputs.codebooks.size());
    inputs.codebooks.push_back(codebook_from(file, "/N" + std::to_string(n) + "/init"));
  }

  const auto trained = train_all(inputs, maps);

  for (std::size_t i = 0; i < maps.size(); ++i) {
    const std::string group = "/N" + std::to_string(sizes[i]);
    const auto expected = file.doubles(group + "/weights");
    EXPECT_LT(aligned_difference(trained[i].weights, expected, sizes[i]), 1e-9) << group;
    EXPECT_NEAR(trained[i].measures.quantization_error, file.number_attribute(group, "quantization_error"), 1e-9)
        << group;
    if (sizes[i] == 10) continue;  // lands on another rotation with any change of rounding
    expect_near(trained[i].weights, expected, 1e-9, group);
    const auto winners = file.integers(group + "/assignments");
    EXPECT_TRUE(
        std::equal(winners.begin(), winners.end(), trained[i].assignments.begin(), trained[i].assignments.end()))
        << group;
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, ReferenceRing, testing::Values(Variant::registers, Variant::vectors));

}  // namespace
}  // namespace atl::som
