#include "de/objective_source.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "de/benchmarks.hpp"
#include "de/every_device.hpp"
#include "de/host_objective.hpp"
#include "de/sample_problem.hpp"
#include "device/kernel_table.hpp"

namespace atl::de {
namespace {

using sample::box;
using sample::error_of;

// Calls the generated functions from the smallest kernel that can.
const char* const probe = R"(
kernel void probe(global const real *points, global const real *data, global const real *limits, global real *energy,
                  global real *decoded, global real *parts) {
  const int i = get_global_id(0);
  real u[FREE + 1], x[ATOLL_DIMENSION];
  for (int k = 0; k < FREE; ++k) u[k] = points[i * FREE + k];
  decode(u, x, limits);
  for (int k = 0; k < ATOLL_DIMENSION; ++k) decoded[i * ATOLL_DIMENSION + k] = x[k];
  energy[i] = evaluate(x, data);
#if ATOLL_ROWS > 0
  for (int row = 0; row < ATOLL_ROWS; ++row) parts[i * ATOLL_ROWS + row] = evaluate_row(x, data, row);
#endif
}
)";

struct Probed {
  std::vector<double> energy;   // a point
  std::vector<double> decoded;  // point by entry
  std::vector<double> parts;    // point by row
};

template <typename Real>
cl::Buffer upload(const device::Device& device, const std::vector<double>& values) {
  std::vector<Real> converted(values.begin(), values.end());
  converted.resize(std::max<std::size_t>(1, converted.size()));
  const std::size_t bytes = converted.size() * sizeof(Real);
  cl::Buffer buffer = device::allocate(device, bytes);
  device.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, converted.data());
  return buffer;
}

template <typename Real>
std::vector<double> download(const device::Device& device, const cl::Buffer& buffer, std::size_t count) {
  std::vector<Real> values(count);
  if (count > 0) device.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(Real), values.data());
  return {values.begin(), values.end()};
}

template <typename Real>
Probed run_probe(const device::Device& device, const Problem& problem, const std::vector<std::vector<double>>& points) {
  const bool single = sizeof(Real) == 4;
  const ObjectiveSource source = objective_source(problem, single);
  std::vector<device::SourcePiece> pieces = {
      {fmt::format("{}#define FREE {}\n", single ? "#define ATOLL_SINGLE\n" : "", problem.free()), ""},
      {device::kernel_source("common/real.cl"), ""},
      {device::kernel_source("common/philox.cl"), ""},
      {device::kernel_source("common/draws.cl"), ""}};
  pieces.insert(pieces.end(), source.pieces.begin(), source.pieces.end());
  pieces.push_back({decode_source(problem), ""});
  pieces.push_back({probe, ""});
  std::vector<double> flat;
  for (const auto& point : points) flat.insert(flat.end(), point.begin(), point.end());
  std::vector<double> limits;
  for (const Entry& entry : problem.entries) limits.push_back(entry.min);
  for (const Entry& entry : problem.entries) limits.push_back(entry.max);

  const cl::Program program = device::build(device, pieces, single);
  cl::Kernel kernel(program, "probe");
  const std::size_t n = points.size();
  const std::vector<double> energy(n), decoded(n * problem.dimension()), parts(n * source.rows);
  const cl::Buffer buffers[] = {upload<Real>(device, flat),    upload<Real>(device, source.data),
                                upload<Real>(device, limits),  upload<Real>(device, energy),
                                upload<Real>(device, decoded), upload<Real>(device, parts)};
  for (cl_uint i = 0; i < 6; ++i) kernel.setArg(i, buffers[i]);
  device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(n), cl::NullRange);
  return {download<Real>(device, buffers[3], energy.size()), download<Real>(device, buffers[4], decoded.size()),
          download<Real>(device, buffers[5], parts.size())};
}

std::vector<std::vector<double>> random_points(const Problem& problem, std::size_t count) {
  std::mt19937_64 generator(7);
  std::vector<std::vector<double>> points(count);
  for (auto& point : points) {
    for (std::size_t k = 0; k < problem.free(); ++k) {
      point.push_back(std::uniform_real_distribution(problem.lower[k], problem.upper[k])(generator));
    }
  }
  return points;
}

using ObjectiveOnEveryDevice = EveryDevice;

std::string random_table(std::size_t rows) {
  std::mt19937_64 generator(3);
  std::uniform_real_distribution<double> value(-2, 2);
  std::string text = "x1,unused,y,w\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text +=
        fmt::format("{},{},{},{}\n", value(generator), row, value(generator), row % 7 == 3 ? 0 : value(generator) + 2);
  }
  return sample::file(fmt::format("random{}.csv", rows), text);
}

TEST_F(ObjectiveOnEveryDevice, AModelOfPlainArithmeticEqualsTheHostToTheBitForAnyNumberOfRows) {
  for (const std::size_t rows : {1U, 2U, 31U, 33U, 63U, 64U, 65U, 127U, 128U, 1000U}) {
    auto settings = sample::model("(a*x1 + b)*x1 - c/(x1*x1 + 1)", random_table(rows),
                                  {box("a", -3, 3), box("b", -3, 3), box("c", -3, 3)});
    settings.problem.weight = "w";
    const Problem problem = make_problem(settings);
    const HostObjective host = host_objective(problem);
    const auto points = random_points(problem, 37);
    EXPECT_EQ(objective_source(problem, false).literal_rows, rows <= 64);
    for (const auto& device : devices) {
      const Probed probed = run_probe<double>(device, problem, points);

      for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(probed.energy[i], host(points[i])) << rows;
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, RowsAddUpToTheObjectiveInTheOrderOfTheStripes) {
  for (const std::size_t rows : {5U, 64U, 200U}) {
    const Problem problem =
        make_problem(sample::model("a*x1 + b", random_table(rows), {box("a", -3, 3), box("b", -3, 3)}));
    const auto points = random_points(problem, 3);
    for (const auto& device : devices) {
      const Probed probed = run_probe<double>(device, problem, points);

      for (std::size_t i = 0; i < points.size(); ++i) {
        std::vector<double> stripes(row_stripes, 0.0);
        for (std::size_t row = 0; row < rows; ++row) stripes[row % row_stripes] += probed.parts[i * rows + row];
        for (std::size_t stride = 32; stride > 0; stride /= 2) {
          for (std::size_t s = 0; s < stride; ++s) stripes[s] += stripes[s + stride];
        }
        EXPECT_EQ(probed.energy[i], stripes[0]) << rows;
      }
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, EveryLossAgreesWithTheHost) {
  for (const auto kind :
       {config::LossKind::absolute, config::LossKind::squared, config::LossKind::huber, config::LossKind::cauchy}) {
    for (const std::size_t rows : {20U, 100U}) {
      auto settings = sample::model("a*x1 + b", random_table(rows), {box("a", -3, 3), box("b", -3, 3)});
      settings.problem.loss = kind;
      settings.problem.loss_scale = 0.75;
      const Problem problem = make_problem(settings);
      const HostObjective host = host_objective(problem);
      const auto points = random_points(problem, 33);
      for (const auto& device : devices) {
        const Probed probed = run_probe<double>(device, problem, points);
        const Probed coarse = run_probe<float>(device, problem, points);

        for (std::size_t i = 0; i < points.size(); ++i) {
          const double expected = host(points[i]);
          EXPECT_NEAR(probed.energy[i], expected, 1e-13 * expected);
          EXPECT_NEAR(coarse.energy[i], expected, 1e-4 * expected);
        }
      }
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, EveryBenchmarkAgreesWithTheHostInBothPrecisions) {
  for (const Benchmark& benchmark : benchmarks()) {
    for (const int dimension : {1, 3, 33}) {
      const Problem problem = make_problem(sample::benchmark(std::string(benchmark.name), dimension, -5, 5));
      const auto points = random_points(problem, 35);
      for (const auto& device : devices) {
        const Probed probed = run_probe<double>(device, problem, points);
        const Probed coarse = run_probe<float>(device, problem, points);

        for (std::size_t i = 0; i < points.size(); ++i) {
          const double expected = benchmark.value(points[i]);
          const double scale = std::abs(expected) + 10 * dimension;
          EXPECT_NEAR(probed.energy[i], expected, 1e-13 * scale) << benchmark.name << ' ' << dimension;
          EXPECT_NEAR(coarse.energy[i], expected, 1e-4 * scale) << benchmark.name << ' ' << dimension;
        }
      }
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, AnObjectiveFileFindsItsPreambleAndKeepsItsOwnHelpers) {
  const std::string path = sample::file("names.cl",
                                        "real evaluate(real v) { return 2 * v; }\n"
                                        "real normal(real v) { const real2 twice = v; return evaluate(twice.y); }\n"
                                        "real objective(const real *x) {\n"
                                        "  return normal(x[PARAMETER_k]) + CONSTANT_g * x[PARAMETER_p + 1] + "
                                        "ATOLL_DIMENSION + ATOLL_COLUMNS;\n"
                                        "}\n");
  auto settings = sample::objective(path, {box("p", -1, 1), box("k", -1, 1)});
  settings.problem.parameters[0].size = 2;
  settings.problem.constants = {{"g", 9.81, {}}};
  const Problem problem = make_problem(settings);
  for (const auto& device : devices) {
    const Probed probed = run_probe<double>(device, problem, {{0.25, 0.5, -0.125}});

    EXPECT_EQ(probed.energy[0], -0.25 + 9.81 * 0.5 + 3);
  }
}

TEST_F(ObjectiveOnEveryDevice, ATermIsSummedOverTheRowsInTheOrderOfTheStripes) {
  const std::string path =
      sample::file("term.cl",
                   "real evaluate_row(real a, real b) { return a - b; }\n"
                   "real term(const real *x, const real *row) {\n"
                   "  const real r = evaluate_row(row[COLUMN_y], x[PARAMETER_a] * row[COLUMN_x1]);\n"
                   "  return r * r;\n"
                   "}\n");
  for (const std::size_t rows : {1U, 40U, 64U, 500U}) {
    auto settings = sample::objective(path, {box("a", -1, 1)}, random_table(rows));
    auto equal = sample::model("a*x1", random_table(rows), {box("a", -1, 1)});
    equal.problem.loss = config::LossKind::squared;
    const Problem problem = make_problem(settings);
    const HostObjective host = host_objective(make_problem(equal));
    const auto points = random_points(problem, 9);
    for (const auto& device : devices) {
      const Probed probed = run_probe<double>(device, problem, points);

      for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(probed.energy[i], host(points[i]));
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, DecodeEqualsTheHostForEveryKindOfEntry) {
  auto settings = sample::benchmark("sphere", 2, -5, 5);
  auto add = [&](config::Parameter parameter, int size, bool log_scale, bool integer) {
    parameter.size = size;
    parameter.log_scale = log_scale;
    parameter.integer = integer;
    settings.problem.parameters.push_back(parameter);
  };
  add(box("fixed", 3.5, 3.5), 3, false, false);
  add(box("n", -3.5, 7.25), 2, false, true);
  add(box("k", 1e-9, 1e3), 2, true, false);
  add(box("m", 0, 1), 0, false, true);
  add(box("last", 0, 1), 0, false, false);
  const Problem problem = make_problem(settings);
  auto points = random_points(problem, 40);
  points.push_back(problem.lower);
  points.push_back(problem.upper);
  for (const auto& device : devices) {
    const Probed probed = run_probe<double>(device, problem, points);

    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto x = decode(problem, points[i]);
      for (std::size_t k = 0; k < x.size(); ++k) {
        const double on_device = probed.decoded[i * x.size() + k];
        const double slack = problem.entries[k].log_scale ? 1e-15 * x[k] : 0;
        EXPECT_NEAR(on_device, x[k], slack) << problem.entries[k].name;
        EXPECT_GE(on_device, problem.entries[k].min);
        EXPECT_LE(on_device, problem.entries[k].max);
      }
    }
  }
}

TEST_F(ObjectiveOnEveryDevice, ASyntaxErrorIs65WithTheUsersFileAndLine) {
  const std::string path = sample::file("broken.cl", "real objective(const real *x) {\n  return x[0] +;\n}\n");
  const Problem problem = make_problem(sample::objective(path, {box("a", 0, 1)}));
  for (const auto& device : devices) {
    const auto [code, message] = error_of([&] { (void)run_probe<double>(device, problem, {{0.5}}); });

    EXPECT_EQ(code, ExitCode::bad_data);
    EXPECT_NE(message.find(path + ":2"), std::string::npos) << message;
  }
}

TEST(ObjectiveSource, TheWordDoubleIsRefusedInSinglePrecisionOnlyAndOnlyInCode) {
  const std::string path = sample::file("precise.cl",
                                        "// double in a comment, \"double\" in /* a string */\n"
                                        "real objective(const real *x) {\n"
                                        "  double2 sum = x[0];\n  return sum.x;\n}\n");
  const Problem problem = make_problem(sample::objective(path, {box("a", 0, 1)}));

  const auto [code, message] = error_of([&] { (void)objective_source(problem, true); });

  EXPECT_EQ(code, ExitCode::bad_data);
  EXPECT_EQ(message,
            path + ":3:3: `double2` in a run with precision = \"single\"; write `real2`, which follows the precision");
  EXPECT_NO_THROW((void)objective_source(problem, false));
}

TEST(ObjectiveSource, NamesThatOnlyContainTheWordDoubleAreFine) {
  const std::string path =
      sample::file("fine.cl",
                   "real double_well(real v) { return v; }\n/* double\ndouble */ real objective(const real *x)"
                   "{ return double_well(x[0]); } // double \\\n double\n");
  const Problem problem = make_problem(sample::objective(path, {box("a", 0, 1)}));

  EXPECT_NO_THROW((void)objective_source(problem, true));
}

TEST(ObjectiveSource, TheBufferHoldsOnlyTheColumnsThatTheModelUses) {
  const Problem problem = make_problem(sample::model("a*x1", random_table(100), {box("a", 0, 1)}));

  const ObjectiveSource source = objective_source(problem, false);

  ASSERT_EQ(source.data.size(), 200U);  // x1 and y
  EXPECT_EQ(source.rows, 100U);
  EXPECT_EQ(source.data[7], problem.table->column(0)[7]);
  EXPECT_EQ(source.data[107], problem.table->column(2)[7]);
}

TEST(ObjectiveSource, ColumnNamesThatAreNoWordsAreSpeltWithUnderscoresAndLeftOutWhereTheyClash) {
  const std::string path = sample::file("term2.cl", "real term(const real *x, const real *row) { return x[0]; }\n");
  const std::string table = sample::file("odd.csv", "flow rate,a-b,a b\n1,2,3\n");
  const Problem problem = make_problem(sample::objective(path, {box("a", 0, 1)}, table));

  const std::string preamble = objective_source(problem, false).pieces[0].text;

  EXPECT_NE(preamble.find("#define COLUMN_flow_rate 0\n"), std::string::npos) << preamble;
  EXPECT_EQ(preamble.find("COLUMN_a_b"), std::string::npos) << preamble;
}

}  // namespace
}  // namespace atl::de
