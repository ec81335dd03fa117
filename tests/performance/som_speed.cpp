// Speed of SOM training on the device of this machine, apart from files and messages: maps per second of sweeps of the
// use-case (2000 x 3 points, 149 epochs, rings). Built and run by scripts/benchmark_som.
//   som_speed FIRST LAST REPLICATES [single|double] [VARIANT] [REPEATS]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "device/opencl.hpp"
#include "som/trainer.hpp"

namespace {

using namespace atl;  // NOLINT: a program of one file

som::ScaledData use_case_points() {
  som::ScaledData data;
  data.rows = 2000;
  data.names = {"x", "y", "z"};
  data.offset.assign(3, 0.0);
  data.scale.assign(3, 1.0);
  std::uint64_t state = 12345;
  for (int i = 0; i < 6000; ++i) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    data.values.push_back(static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53);
  }
  return data;
}

som::Variant variant_of(const char* name) {
  const char* const names[] = {"automatic", "registers", "vectors", "team", "group"};
  for (int i = 0; i < 5; ++i)
    if (std::strcmp(name, names[i]) == 0) return static_cast<som::Variant>(i);
  fail(ExitCode::usage, "{} is no variant: automatic, registers, vectors, team, group", name);
}

device::Device open_device() {
  const auto found = device::list_devices();
  const bool any_gpu = std::ranges::any_of(found, [](const auto& d) { return d.gpu && d.unusable.empty(); });
  return device::open(device::select(found, "", any_gpu).front());
}

int run(int argc, char** argv) {
  const int first = argc > 1 ? std::atoi(argv[1]) : 2;
  const int last = argc > 2 ? std::atoi(argv[2]) : 128;
  const int replicates = argc > 3 ? std::atoi(argv[3]) : 1;
  const bool single = argc <= 4 || std::strcmp(argv[4], "single") == 0;
  const int repeats = argc > 6 ? std::atoi(argv[6]) : 3;
  const device::Device device = open_device();
  som::TrainerInputs inputs;
  inputs.data = use_case_points();
  inputs.precision = single ? config::Precision::real32 : config::Precision::real64;
  inputs.training.initial = config::MapInitial::uniform;
  inputs.training.uniform_high = 1;
  inputs.variant = argc > 5 ? variant_of(argv[5]) : som::Variant::automatic;
  std::vector<som::MapSetting> maps;
  for (int n = first; n <= last; ++n)
    for (int r = 0; r < replicates; ++r) maps.push_back({config::MapTopology::ring, 1, n, 5.0, 1.0, 149, r, -1});

  som::Trainer trainer(device, inputs);
  std::vector<double> wall;
  som::TrainingTimes best;
  double error_sum = 0;
  for (int i = 0; i <= repeats; ++i) {  // the first one builds the kernels
    error_sum = 0;
    const auto start = std::chrono::steady_clock::now();
    (void)trainer.train(maps,
                        [&](std::size_t, som::TrainedMap&& map) { error_sum += map.measures.quantization_error; });
    if (i == 0) continue;
    wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (wall.size() == 1 || trainer.times().training < best.training) best = trainer.times();
  }
  std::ranges::sort(wall);
  const double median = wall[wall.size() / 2];
  fmt::print(
      "{} N={}..{} x {} {}: {} maps, median {:.4f} s ({:.0f} maps/s), best {:.4f} s; device seconds: training "
      "{:.4f} ({:.0f} maps/s), measures {:.4f}; {}; mean quantization error {:.6f}\n",
      device.info.name, first, last, replicates, single ? "single" : "double", maps.size(), median,
      static_cast<double>(maps.size()) / median, wall.front(), best.training,
      static_cast<double>(maps.size()) / best.training, best.measuring, best.kernels,
      error_sum / static_cast<double>(maps.size()));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 70;
  }
}
