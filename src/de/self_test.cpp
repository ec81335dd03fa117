#include "de/self_test.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "de/benchmarks.hpp"
#include "de/draws.hpp"
#include "de/engine.hpp"
#include "de/host_objective.hpp"
#include "device/kernel_table.hpp"

namespace atl::de {
namespace {

constexpr std::uint32_t seed = 20170605;
constexpr std::uint32_t self_test_stream = 255;  // a kind of draws that no search uses

// What a check found wrong; empty when it is right.
using Check = std::function<std::string()>;

SelfTestLine line(const std::string& name, const std::string& what, const Check& check) {
  try {
    const std::string fault = check();
    return {name, fault.empty(), fault.empty() ? what : fault};
  } catch (const std::exception& error) {
    return {name, false, error.what()};
  }
}

/// A kernel over `count` work-items that writes `values` reals each, from a program of common/ and `pieces`.
template <typename Real>
std::vector<Real> run_kernel(const device::Device& device, std::vector<device::SourcePiece> pieces, std::size_t count,
                             std::size_t values) try {
  const bool single = sizeof(Real) == sizeof(float);
  std::vector<device::SourcePiece> all = {{single ? "#define ATOLL_SINGLE\n" : "", ""}};
  for (const char* name : {"common/real.cl", "common/philox.cl", "common/draws.cl"})
    all.push_back({device::kernel_source(name), ""});
  all.insert(all.end(), pieces.begin(), pieces.end());
  const cl::Program program = device::build(device, all, single);
  cl::Kernel kernel(program, "self_test");
  std::vector<Real> results(count * values);
  const cl::Buffer buffer = device::allocate(device, results.size() * sizeof(Real));
  kernel.setArg(0, buffer);
  kernel.setArg(1, static_cast<cl_ulong>(seed));
  device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(count), cl::NullRange);
  device.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, results.size() * sizeof(Real), results.data());
  return results;
} catch (const cl::Error& error) {
  throw device::translate(error, device);
}

const char* const draws_kernel = R"(
kernel void self_test(global real *results, const ulong seed) {
  const uint i = (uint)get_global_id(0);
  const uint4 block = draw_block(seed, 255u, 0u, i, 0u, 0u);
  results[4 * i] = uniform_fine(block.x, block.y);
  results[4 * i + 1] = normal(block.x, block.y);
  results[4 * i + 2] = cauchy(block.z);
  results[4 * i + 3] = (real)bounded_without2(block.w, 147u, 3u, 12u);
}
)";

template <typename Real, auto Fine, auto Normal, auto Cauchy>
std::string wrong_draw(const device::Device& device) {
  constexpr std::size_t count = 4096;
  const auto found = run_kernel<Real>(device, {{draws_kernel, ""}}, count, 4);
  for (std::size_t i = 0; i < count; ++i) {
    const auto block = draws64::draw_block(seed, self_test_stream, 0, static_cast<std::uint32_t>(i), 0, 0);
    const Real expected[] = {Fine(block.x, block.y), Normal(block.x, block.y), Cauchy(block.z),
                             static_cast<Real>(draws64::bounded_without2(block.w, 147, 3, 12))};
    for (std::size_t k = 0; k < 4; ++k)
      if (found[4 * i + k] != expected[k])
        return fmt::format("draw {} of member {} is {:.17g}, the host has {:.17g}", k, i, found[4 * i + k],
                           expected[k]);
  }
  return "";
}

std::string wrong_draws(const device::Device& device) {
  if (device.info.has_double) {
    std::string fault = wrong_draw<double, draws64::uniform_fine, draws64::normal, draws64::cauchy>(device);
    if (!fault.empty()) return fault;
  }
  return wrong_draw<float, draws32::uniform_fine, draws32::normal, draws32::cauchy>(device);
}

constexpr std::size_t benchmark_dimension = 7;

/// All benchmarks in one program, each under a name of its own.
std::vector<device::SourcePiece> benchmark_pieces() {
  std::vector<device::SourcePiece> pieces = {{fmt::format("#define ATOLL_DIMENSION {}\n", benchmark_dimension), ""}};
  std::string kernel =
      "kernel void self_test(global real *results, const ulong seed) {\n"
      "  const uint i = (uint)get_global_id(0);\n"
      "  real x[ATOLL_DIMENSION];\n"
      "  for (uint k = 0u; k < ATOLL_DIMENSION; ++k)\n"
      "    x[k] = (real)10 * uniform(draw_word(seed, 255u, k, i, 1u, 0u)) - (real)5;\n";
  std::size_t at = 0;
  for (const Benchmark& benchmark : benchmarks()) {
    pieces.push_back({fmt::format("#define objective objective_{}\n", benchmark.name), ""});
    pieces.push_back({device::kernel_source(benchmark.kernel), ""});
    pieces.push_back({"#undef objective\n", ""});
    kernel += fmt::format("  results[i * {} + {}] = objective_{}(x);\n", benchmarks().size(), at++, benchmark.name);
  }
  pieces.push_back({kernel + "}\n", ""});
  return pieces;
}

template <typename Real>
std::string wrong_benchmark(const device::Device& device, double tolerance) {
  constexpr std::size_t count = 256;
  const auto found = run_kernel<Real>(device, benchmark_pieces(), count, benchmarks().size());
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> x(benchmark_dimension);
    for (std::uint32_t k = 0; k < benchmark_dimension; ++k) {
      const std::uint32_t word = draws64::draw_word(seed, self_test_stream, k, static_cast<std::uint32_t>(i), 1, 0);
      x[k] = 10 * (sizeof(Real) == sizeof(float) ? double{draws32::uniform(word)} : draws64::uniform(word)) - 5;
    }
    for (std::size_t b = 0; b < benchmarks().size(); ++b) {
      const double expected = benchmarks()[b].value(x), value = found[i * benchmarks().size() + b];
      if (!(std::fabs(value - expected) <= tolerance * (std::fabs(expected) + 10 * benchmark_dimension)))
        return fmt::format("{} at point {} is {:.17g}, the host has {:.17g}", benchmarks()[b].name, i, value, expected);
    }
  }
  return "";
}

/// A small search on a benchmark with plain arithmetic.
config::DeSettings search_settings(config::AlgorithmName algorithm, bool single) {
  config::DeSettings settings;
  settings.problem.text = "rosenbrock";
  config::Parameter parameter;
  parameter.name = "p";
  parameter.min = -3;
  parameter.max = 3;
  parameter.size = 5;
  settings.problem.parameters = {parameter};
  settings.algorithm.name = algorithm;
  settings.algorithm.population = 45;
  settings.algorithm.bounds =
      algorithm == config::AlgorithmName::classic ? config::Bounds::resample : config::Bounds::midpoint;
  settings.stop.evaluations = 3000;
  settings.run.seed = seed;
  settings.run.precision = single ? config::Precision::real32 : config::Precision::real64;
  return settings;
}

/// Searches to the end of the budget; what is wrong on the way is said in `fault`.
Populations search(const device::Device& device, const config::DeSettings& settings, char shape, std::string& fault) {
  constexpr std::int64_t islands = 3;
  const Problem problem = make_problem(settings);
  EngineSetup setup{problem, settings, plan_island(settings, problem), {}, 0, islands, {}};
  setup.device_plan = plan_device(setup.island, settings, problem, device.info, islands, islands, shape);
  Engine engine(device, setup);
  engine.initialize();
  std::vector<IslandStatistics> before = engine.statistics();
  const auto first = before;
  while (!engine.schedule().exhausted()) {
    engine.advance(1);
    const auto now = engine.statistics();
    for (std::size_t i = 0; i < now.size(); ++i)
      if (!(now[i].best <= before[i].best)) fault = fmt::format("island {} lost its best member", i);
    before = now;
  }
  for (std::size_t i = 0; i < first.size(); ++i)
    if (!(before[i].best < 0.1 * first[i].best)) fault = fmt::format("island {} does not get better", i);
  return engine.download();
}

std::string wrong_energy(const Populations& populations, const Problem& problem, double tolerance) {
  const HostObjective host = host_objective(problem);
  for (std::size_t row = 0; row < populations.energies.size(); ++row) {
    const auto begin = populations.points.begin() + static_cast<std::ptrdiff_t>(row * problem.free());
    const double expected = host(decode(problem, {begin, begin + static_cast<std::ptrdiff_t>(problem.free())}));
    if (!(std::fabs(populations.energies[row] - expected) <= tolerance * (1 + std::fabs(expected))))
      return fmt::format("the energy of member {} is {:.17g}, the host has {:.17g}", row, populations.energies[row],
                         expected);
  }
  return "";
}

std::string wrong_search(const device::Device& device, config::AlgorithmName algorithm, bool single) {
  const config::DeSettings settings = search_settings(algorithm, single);
  std::string fault;
  const Populations a = search(device, settings, 'A', fault);
  if (fault.empty()) fault = wrong_energy(a, make_problem(settings), single ? 1e-3 : 1e-12);
  if (!fault.empty()) return fault;
  const Populations b = search(device, settings, 'B', fault);
  if (fault.empty() && (a.points != b.points || a.energies != b.energies))
    fault = "the two kernel shapes end with other bits";
  return fault;
}

}  // namespace

std::vector<SelfTestLine> self_test(const device::Device& device) {
  const bool single = !device.info.has_double;
  const char* const precision = single ? "single precision" : "double precision";
  return {line("random draws", "4096 members, the host's bits", [&] { return wrong_draws(device); }),
          line("objectives", fmt::format("all benchmarks at 256 points agree with the host, {}", precision),
               [&] { return single ? wrong_benchmark<float>(device, 1e-4) : wrong_benchmark<double>(device, 1e-12); }),
          line("classic", fmt::format("energies are the host's, both kernel shapes give equal bits, {}", precision),
               [&] { return wrong_search(device, config::AlgorithmName::classic, single); }),
          line("jso", fmt::format("energies are the host's, both kernel shapes give equal bits, {}", precision),
               [&] { return wrong_search(device, config::AlgorithmName::jso, single); })};
}

}  // namespace atl::de
