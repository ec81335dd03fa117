// The built-in test functions of any dimension: sphere, rosenbrock, ... in their textbook form (minimum 0).
#pragma once
#include <span>
#include <string_view>

namespace atl::de {

struct Benchmark {
  std::string_view name;
  std::string_view kernel;  // file below kernels/benchmarks/
  double (*value)(std::span<const double> x);
  double operations_per_dimension;
};

[[nodiscard]] std::span<const Benchmark> benchmarks();
[[nodiscard]] const Benchmark& benchmark(std::string_view name);  // throws internal: names are checked by config

}  // namespace atl::de
