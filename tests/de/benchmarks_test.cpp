#include "de/benchmarks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace atl::de {
namespace {

struct Known {
  double minimizer;           // every coordinate of the global minimum
  double at_three;            // f(0.5, -1, 1.5), computed from the textbook formulas in Python
  double at_one;              // f(0.5)
  double slack_at_minimizer;  // the minimizer and the constant have 17 digits, the function does not
};

const std::map<std::string, Known> known = {
    {"sphere", {0, 3.5, 0.25, 0}},
    {"rosenbrock", {1, 185.5, 0, 0}},
    {"rastrigin", {0, 43.5, 20.25, 0}},
    {"ackley", {0, 5.88744234674083, 4.253654026568412, 1e-15}},
    {"griewank", {0, 0.5686378859809134, 0.12247993810962732, 0}},
    {"schwefel", {420.9687462275036, 1256.0542353319565, 418.65806880289364, 1e-10}},
    {"levy", {1, 1.2162075850874778, 0.16988410940672632, 1e-30}},
    {"zakharov", {0, 10.8125, 0.31640625, 0}},
};

TEST(Benchmarks, HaveTheKnownValuesInOneAndThreeDimensions) {
  ASSERT_EQ(benchmarks().size(), known.size());
  for (const Benchmark& benchmark : benchmarks()) {
    const Known& expected = known.at(std::string(benchmark.name));

    EXPECT_NEAR(benchmark.value(std::vector{0.5, -1.0, 1.5}), expected.at_three, 1e-12 * expected.at_three)
        << benchmark.name;
    EXPECT_NEAR(benchmark.value(std::vector{0.5}), expected.at_one, 1e-12 * expected.at_one) << benchmark.name;
  }
}

TEST(Benchmarks, AreZeroAtTheMinimumInAnyDimension) {
  for (const Benchmark& benchmark : benchmarks()) {
    const Known& expected = known.at(std::string(benchmark.name));
    for (const std::size_t dimension : {1U, 2U, 10U, 1000U}) {
      const std::vector<double> x(dimension, expected.minimizer);

      const double value = benchmark.value(x);

      EXPECT_NEAR(value, 0, expected.slack_at_minimizer * static_cast<double>(dimension)) << benchmark.name;
    }
  }
}

TEST(Benchmarks, AreAboveZeroBesideTheMinimum) {
  for (const Benchmark& benchmark : benchmarks()) {
    std::vector<double> x(4, known.at(std::string(benchmark.name)).minimizer);
    x[2] += 0.01;

    EXPECT_GT(benchmark.value(x), 1e-7) << benchmark.name;
  }
}

TEST(Benchmarks, AnUnknownNameIsOurOwnFault) {
  EXPECT_EQ(benchmark("levy").name, "levy");
  try {
    (void)benchmark("sphinx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
  }
}

}  // namespace
}  // namespace atl::de
