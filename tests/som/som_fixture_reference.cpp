#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

#include "device/opencl.hpp"
#include "som/som_fixture.hpp"

namespace atl::som {

namespace {

std::unique_ptr<device::Device>& opened() {
  static std::unique_ptr<device::Device> device;
  return device;
}

// Released before the program ends: OpenCL libraries do not outlive main() whole.
class DeviceOfTheTests : public testing::Environment {
 public:
  void TearDown() override { opened().reset(); }
};

testing::Environment* const environment = testing::AddGlobalTestEnvironment(new DeviceOfTheTests);

}  // namespace

const device::Device& test_device() {
  if (!opened()) {
    const auto found = device::list_devices();
    const bool any_gpu = std::ranges::any_of(found, [](const auto& d) { return d.gpu && d.unusable.empty(); });
    opened() = std::make_unique<device::Device>(device::open(device::select(found, "", any_gpu).front()));
  }
  return *opened();
}

std::uint64_t Splitmix::next() {
  std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

namespace {

ScaledData empty_data(std::size_t rows, std::size_t columns) {
  ScaledData data;
  data.rows = rows;
  for (std::size_t c = 0; c < columns; ++c) data.names.push_back(std::to_string(c));
  data.offset.assign(columns, 0.0);
  data.scale.assign(columns, 1.0);
  return data;
}

}  // namespace

ScaledData random_points(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  ScaledData data = empty_data(rows, columns);
  Splitmix stream{seed};
  for (std::size_t i = 0; i < rows * columns; ++i) data.values.push_back(stream.uniform());
  return data;
}

ScaledData points_of(std::vector<std::vector<double>> rows) {
  ScaledData data = empty_data(rows.size(), rows.front().size());
  for (const auto& row : rows)
    for (const double v : row) {
      data.values.push_back(v);
      data.missing = data.missing || std::isnan(v);
    }
  return data;
}

TrainerInputs inputs_for(ScaledData data, config::Precision precision) {
  TrainerInputs inputs;
  inputs.data = std::move(data);
  inputs.precision = precision;
  inputs.training.sigma_decay = inputs.training.eta_decay = config::Decay::linear_open;
  return inputs;
}

MapSetting line_of(config::MapTopology topology, int neurons, double sigma, double eta, int epochs) {
  return {topology, 1, neurons, sigma, eta, epochs, 0, -1};
}

MapSetting grid_of(config::MapTopology topology, int rows, int columns, double sigma, double eta, int epochs) {
  return {topology, rows, columns, sigma, eta, epochs, 0, -1};
}

std::vector<TrainedMap> train_all(TrainerInputs inputs, const std::vector<MapSetting>& maps) {
  std::vector<TrainedMap> result(maps.size());
  std::size_t finished = 0;
  Trainer trainer(test_device(), std::move(inputs));
  const bool done = trainer.train(maps, [&](std::size_t i, TrainedMap&& map) {
    result.at(i) = std::move(map);
    ++finished;
  });
  EXPECT_TRUE(done);
  EXPECT_EQ(finished, maps.size());
  return result;
}

namespace {

std::vector<double> values_of(const Measures& m) {
  return {m.quantization_error, m.mean_squared_error, m.topographic_error,    m.topographic_error_8,
          m.distortion,         m.kaski_lagus_error,  m.explained_variance,   m.empty_neurons,
          m.davies_bouldin,     m.calinski_harabasz,  m.simplified_silhouette};
}

}  // namespace

void expect_same_bits(const TrainedMap& a, const TrainedMap& b, const std::string& what) {
  const auto x = values_of(a.measures);
  const auto y = values_of(b.measures);
  EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << what << ": measures";
  ASSERT_EQ(a.weights.size(), b.weights.size()) << what;
  EXPECT_EQ(std::memcmp(a.weights.data(), b.weights.data(), a.weights.size() * sizeof(double)), 0)
      << what << ": weights";
  EXPECT_EQ(a.assignments, b.assignments) << what;
  EXPECT_EQ(a.hits, b.hits) << what;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << what << ": entry " << i;
}

void expect_near(const Measures& a, const Measures& b, double tolerance, const std::string& what) {
  const char* const names[] = {"quantization_error",  "mean_squared_error",   "topographic_error",
                               "topographic_error_8", "distortion",           "kaski_lagus_error",
                               "explained_variance",  "empty_neurons",        "davies_bouldin",
                               "calinski_harabasz",   "simplified_silhouette"};
  const auto x = values_of(a);
  const auto y = values_of(b);
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    EXPECT_NEAR(x[i], y[i], tolerance * std::max(1.0, std::abs(y[i]))) << what << ": " << names[i];
  }
}

}  // namespace atl::som
