#include "de/benchmarks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.hpp"

// The formulas stand a second time in kernels/benchmarks/, where each names its source and usual box.
namespace atl::de {
namespace {

using Point = std::span<const double>;
constexpr double pi = std::numbers::pi;

double square(double value) {
  return value * value;
}

double sphere(Point x) {
  double sum = 0;
  for (const double xi : x) sum += square(xi);
  return sum;
}

double rosenbrock(Point x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += 100 * square(x[i + 1] - square(x[i])) + square(1 - x[i]);
  return sum;
}

double rastrigin(Point x) {
  double sum = 10 * static_cast<double>(x.size());
  for (const double xi : x) sum += square(xi) - 10 * std::cos(2 * pi * xi);
  return sum;
}

double ackley(Point x) {
  const auto n = static_cast<double>(x.size());
  double squares = 0;
  double waves = 0;
  for (const double xi : x) {
    squares += square(xi);
    waves += std::cos(2 * pi * xi);
  }
  return 20 - 20 * std::exp(-0.2 * std::sqrt(squares / n)) + (std::numbers::e - std::exp(waves / n));
}

double griewank(Point x) {
  double sum = 0;
  double product = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += square(x[i]);
    product *= std::cos(x[i] / std::sqrt(static_cast<double>(i + 1)));
  }
  return 1 + sum / 4000 - product;
}

double schwefel(Point x) {
  double sum = 0;
  for (const double xi : x) sum += xi * std::sin(std::sqrt(std::abs(xi)));
  return 418.98288727243369 * static_cast<double>(x.size()) - sum;
}

double levy(Point x) {
  const auto w = [](double xi) { return 1 + (xi - 1) / 4; };
  double sum = square(std::sin(pi * w(x.front())));
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    sum += square(w(x[i]) - 1) * (1 + 10 * square(std::sin(pi * w(x[i]) + 1)));
  }
  return sum + square(w(x.back()) - 1) * (1 + square(std::sin(2 * pi * w(x.back()))));
}

double zakharov(Point x) {
  double squares = 0;
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    squares += square(x[i]);
    s += 0.5 * static_cast<double>(i + 1) * x[i];
  }
  return squares + square(s) + square(square(s));
}

constexpr std::array table = {
    Benchmark{"sphere", "benchmarks/sphere.cl", sphere, 2},
    Benchmark{"rosenbrock", "benchmarks/rosenbrock.cl", rosenbrock, 8},
    Benchmark{"rastrigin", "benchmarks/rastrigin.cl", rastrigin, 25},
    Benchmark{"ackley", "benchmarks/ackley.cl", ackley, 24},
    Benchmark{"griewank", "benchmarks/griewank.cl", griewank, 32},
    Benchmark{"schwefel", "benchmarks/schwefel.cl", schwefel, 32},
    Benchmark{"levy", "benchmarks/levy.cl", levy, 32},
    Benchmark{"zakharov", "benchmarks/zakharov.cl", zakharov, 5},
};

}  // namespace

std::span<const Benchmark> benchmarks() {
  return table;
}

const Benchmark& benchmark(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Benchmark::name);
  if (found == table.end()) fail(ExitCode::internal, "there is no benchmark \"{}\"", name);
  return *found;
}

}  // namespace atl::de
