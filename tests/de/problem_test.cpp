#include "de/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "de/sample_problem.hpp"

namespace atl::de {
namespace {

using sample::box;
using sample::error_of;
using testing::Test;

const char* const small_table = "x1,x2,y,w\n1,2,3,1\n4,5,6,0.5\n7,8,9,2\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Problem, FlattensVectorsAndKeepsTheOrderOfTheFile) {
  auto settings = sample::benchmark("sphere", 3, -1, 1);
  settings.problem.parameters.insert(settings.problem.parameters.begin(), box("z", 0, 2));
  settings.problem.parameters.push_back(box("a", 5, 5));
  settings.problem.parameters[1].start = {0.1, 0.2, 0.3};

  const Problem problem = make_problem(settings);

  ASSERT_EQ(problem.dimension(), 5U);
  EXPECT_EQ(problem.free(), 4U);
  const char* names[] = {"z", "p[0]", "p[1]", "p[2]", "a"};
  const int free_index[] = {0, 1, 2, 3, -1};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(problem.entries[i].name, names[i]);
    EXPECT_EQ(problem.entries[i].free_index, free_index[i]);
  }
  EXPECT_EQ(problem.entries[3].start, 0.3);
  EXPECT_TRUE(problem.entries[4].fixed);
  EXPECT_EQ(problem.entries[4].value, 5);
}

TEST(Problem, OneStartValueServesAWholeVector) {
  auto settings = sample::benchmark("sphere", 3, -1, 1);
  settings.problem.parameters[0].start = {0.25};

  const Problem problem = make_problem(settings);

  for (const Entry& entry : problem.entries) EXPECT_EQ(entry.start, 0.25);
}

TEST(Problem, SearchBoxIsLogarithmicOrHalfAStepWider) {
  auto settings = sample::benchmark("sphere", 2, -3, 4);
  settings.problem.parameters.push_back(box("k", 1e-9, 1e3));
  settings.problem.parameters.back().log_scale = true;
  settings.problem.parameters.push_back(box("n", 0.2, 7.9));
  settings.problem.parameters.back().integer = true;

  const Problem problem = make_problem(settings);

  EXPECT_EQ(problem.lower, (std::vector{-3.0, -3.0, std::log(1e-9), 0.5}));
  EXPECT_EQ(problem.upper, (std::vector{4.0, 4.0, std::log(1e3), 7.5}));
}

TEST(Problem, DecodeStaysInTheBoxAndRoundsHalfUp) {
  auto settings = sample::benchmark("sphere", 1, -3, 4);
  settings.problem.parameters.push_back(box("k", 1e-9, 1e3));
  settings.problem.parameters.back().log_scale = true;
  settings.problem.parameters.push_back(box("n", 0, 3));
  settings.problem.parameters.back().integer = true;
  settings.problem.parameters.push_back(box("c", 2.5, 2.5));
  const Problem problem = make_problem(settings);

  const auto low = decode(problem, problem.lower);
  const auto high = decode(problem, problem.upper);
  const auto half = decode(problem, {0, 0, 1.5});

  EXPECT_EQ(low, (std::vector{-3.0, low[1], 0.0, 2.5}));
  EXPECT_GE(low[1], 1e-9);
  EXPECT_NEAR(low[1], 1e-9, 1e-23);
  EXPECT_EQ(high, (std::vector{4.0, high[1], 3.0, 2.5}));
  EXPECT_LE(high[1], 1e3);
  EXPECT_NEAR(high[1], 1e3, 1e-11);
  EXPECT_EQ(half, (std::vector{0.0, 1.0, 2.0, 2.5}));
}

TEST(Problem, EncodeIsTheInverseOfDecode) {
  auto settings = sample::benchmark("sphere", 2, -3, 4);
  settings.problem.parameters.push_back(box("k", 1e-12, 1e12));
  settings.problem.parameters.back().log_scale = true;
  settings.problem.parameters.push_back(box("c", 1, 1));
  settings.problem.parameters.push_back(box("n", -2, 2));
  settings.problem.parameters.back().integer = true;
  const Problem problem = make_problem(settings);
  const std::vector<double> x = {0.1, -2.9, 3.7e-6, 1, -2};

  const auto u = encode(problem, x);
  const auto back = decode(problem, u);

  ASSERT_EQ(u.size(), 4U);
  EXPECT_EQ(back[0], x[0]);
  EXPECT_EQ(back[1], x[1]);
  EXPECT_NEAR(back[2], x[2], 1e-14 * x[2]);
  EXPECT_EQ(back[3], x[3]);
  EXPECT_EQ(back[4], x[4]);
}

TEST(Problem, ReadsTheTableAndFindsTargetAndWeight) {
  auto settings = sample::model("a*x1 + b*x2", sample::file("t.csv", small_table), {box("a", 0, 1), box("b", 0, 1)});
  settings.problem.weight = "w";

  const Problem problem = make_problem(settings);

  EXPECT_EQ(problem.rows(), 3U);
  EXPECT_EQ(problem.target, 2U);
  EXPECT_EQ(problem.weight, 3U);
  EXPECT_EQ(problem.model->columns_used(), (std::vector<std::size_t>{0, 1}));
  EXPECT_TRUE(problem.warnings.empty());
}

TEST(Problem, AMissingColumnIsNamedWithItsPlaceAndTheColumnsThatAreThere) {
  auto settings = sample::model("a*x1", sample::file("t.csv", small_table), {box("a", 0, 1)});
  settings.problem.target = "z";

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::bad_configuration);
  EXPECT_TRUE(message.starts_with("problem.toml:4:1: problem.target: ")) << message;
  EXPECT_TRUE(contains(message, "no column \"z\"; its columns are \"x1\", \"x2\", \"y\", \"w\"")) << message;
}

TEST(Problem, WeightsAreFiniteAndNotNegative) {
  auto settings = sample::model("a*x1", sample::file("t.csv", "x1,y,w\n1,2,1\n3,4,-0.5\n"), {box("a", 0, 1)});
  settings.problem.weight = "w";

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::bad_data);
  EXPECT_TRUE(contains(message, "problem.toml:5:1: ")) << message;
  EXPECT_TRUE(contains(message, "is -0.5 in row 2; weights are finite and >= 0")) << message;
}

TEST(Problem, WeightsThatAreAllZeroAreRefused) {
  auto settings = sample::model("a*x1", sample::file("t.csv", "x1,y,w\n1,2,0\n3,4,0\n"), {box("a", 0, 1)});
  settings.problem.weight = "w";

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::bad_data);
  EXPECT_TRUE(contains(message, "is 0 in every row")) << message;
}

TEST(Problem, AFaultInTheModelIsReportedInTheProblemFile) {
  auto settings = sample::model("a*x1 + q", sample::file("t.csv", small_table), {box("a", 0, 1)});

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::bad_configuration);
  EXPECT_TRUE(message.starts_with("problem.toml:2:17: ")) << message;  // the q
}

TEST(Problem, AnIndexColumnThatLeavesItsVectorIsRefused) {
  auto settings = sample::model("p[x1]", sample::file("t.csv", "x1,y\n0,1\n3,1\n"), {box("p", 0, 1)});
  settings.problem.parameters[0].size = 3;

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::bad_configuration);
}

TEST(Problem, AParameterThatTheModelDoesNotUseIsWarnedAbout) {
  auto settings = sample::model("a*x1", sample::file("t.csv", small_table),
                                {box("a", 0, 1), box("b", 0, 1, 12), box("fixed", 3, 3)});

  const Problem problem = make_problem(settings);

  ASSERT_EQ(problem.warnings.size(), 1U);
  EXPECT_TRUE(contains(problem.warnings[0], "problem.toml:12:1: parameters.b does not occur")) << problem.warnings[0];
}

TEST(Problem, AMissingObjectiveFileIs66AndNamesThePlace) {
  const auto settings = sample::objective("/nowhere/wing.cl", {box("a", 0, 1)});

  const auto [code, message] = error_of([&] { (void)make_problem(settings); });

  EXPECT_EQ(code, ExitCode::missing_input);
  EXPECT_TRUE(contains(message, "problem.toml:2:1: ") && contains(message, "/nowhere/wing.cl")) << message;
}

TEST(Problem, AFolderInPlaceOfAnObjectiveFileIs66) {
  const auto settings = sample::objective(testing::TempDir(), {box("a", 0, 1)});

  EXPECT_EQ(error_of([&] { (void)make_problem(settings); }).first, ExitCode::missing_input);
}

TEST(Problem, AnObjectiveFileWithoutItsFunctionIs65WithTheSignature) {
  const std::string path = sample::file("wing.cl", "// real objective(const real *x) is not here\nreal f(real x);\n");

  const auto [code, message] = error_of([&] { (void)make_problem(sample::objective(path, {box("a", 0, 1)})); });

  EXPECT_EQ(code, ExitCode::bad_data);
  EXPECT_EQ(message, "no function `real objective(const real *x)` in " + path);
}

TEST(Problem, AnObjectiveThatKernelsCannotCallIs65AtItsLine) {
  for (const char* head : {"real objective(const real *x, int k)", "real objective(real x)", "void objective(real *x)",
                           "real objective(global const real *x)", "real objective()"}) {
    const std::string path = sample::file("call.cl", std::string("// mine\n") + head + " { return 0; }\n");

    const auto [code, message] = error_of([&] { (void)make_problem(sample::objective(path, {box("a", 0, 1)})); });

    EXPECT_EQ(code, ExitCode::bad_data) << head;
    EXPECT_EQ(message, path + ":2:6: `objective` must be `real objective(const real *x)`") << head;
  }
}

TEST(Problem, EverySpellingOfAnObjectiveThatKernelsCanCallIsTaken) {
  for (const char* text :
       {"real objective(const real x[1]) { return x[0]; }",
        "static inline real\nobjective ( real *restrict x )\n{ return 0; }",
        "real objective(const real *x);\nreal objective(const real *const x) { return x[0]; }",
        "#if 0\nreal objective(real x) { return x; }\n#else\nreal objective(const real *x) { return x[0]; }\n#endif"}) {
    const std::string path = sample::file("call.cl", text);

    EXPECT_NO_THROW((void)make_problem(sample::objective(path, {box("a", 0, 1)}))) << text;
  }
}

TEST(Problem, TheOtherFormOfTheObjectiveIsHintedAt) {
  const std::string path = sample::file("form.cl", "real objective(const real *x) { return x[0]; }\n");
  const std::string table = sample::file("t.csv", small_table);

  const auto [code, message] = error_of([&] { (void)make_problem(sample::objective(path, {box("a", 0, 1)}, table)); });

  EXPECT_EQ(code, ExitCode::bad_data);
  EXPECT_TRUE(contains(message, "no function `real term(const real *x, const real *row)`")) << message;
  EXPECT_TRUE(contains(message, "`objective` is the form without problem.data")) << message;
}

TEST(Problem, AnObjectiveWithDataIsASumOverItsRows) {
  const std::string path =
      sample::file("term.cl", "real term ( const real *x, const real *row) { return x[0] - row[0]; }\n");

  const Problem problem = make_problem(sample::objective(path, {box("a", 0, 1)}, sample::file("t.csv", small_table)));

  EXPECT_TRUE(problem.per_row);
  EXPECT_EQ(problem.rows(), 3U);
}

TEST(Problem, WorkGrowsWithRowsAndDimension) {
  const std::string one = sample::file("one.csv", "x1,y\n1,1\n");
  const std::string two = sample::file("two.csv", "x1,y\n1,1\n2,2\n");

  const double work_one = operations(make_problem(sample::model("a*x1", one, {box("a", 0, 1)})));
  const double work_two = operations(make_problem(sample::model("a*x1", two, {box("a", 0, 1)})));

  EXPECT_GT(work_one, 0);
  EXPECT_EQ(work_two, 2 * work_one);
  EXPECT_EQ(operations(make_problem(sample::benchmark("sphere", 20, 0, 1))),
            2 * operations(make_problem(sample::benchmark("sphere", 10, 0, 1))));
}

TEST(Problem, TheFingerprintFollowsEverythingThatMovesTheOptimum) {
  const std::string table = sample::file("t.csv", small_table);
  const auto base = sample::model("a*x1 + k", table, {box("a", 0, 1)});
  auto settings = base;
  settings.problem.constants = {{"k", 2.0, {}}};
  const auto of = [](const config::DeSettings& s) { return fingerprint(make_problem(s)); };
  const std::uint64_t reference = of(settings);

  EXPECT_EQ(of(settings), reference);
  const auto changed = [&](auto change) {
    auto other = settings;
    change(other.problem);
    return of(other);
  };
  EXPECT_NE(changed([](auto& p) { p.text = "a*x1 - k"; }), reference);
  EXPECT_NE(changed([](auto& p) { p.constants[0].value = 3; }), reference);
  EXPECT_NE(changed([](auto& p) { p.parameters[0].max = 2; }), reference);
  EXPECT_NE(changed([](auto& p) { p.parameters[0].integer = true; }), reference);
  EXPECT_NE(changed([](auto& p) { p.parameters[0].start = {0.0}; }), reference);
  EXPECT_NE(changed([](auto& p) { p.weight = "w"; }), reference);
  EXPECT_NE(changed([](auto& p) { p.loss = config::LossKind::squared; }), reference);
  EXPECT_NE(changed([](auto& p) { p.data = sample::file("u.csv", "x1,x2,y,w\n1,2,3,1\n4,5,6,0.5\n7,8,9,1\n"); }),
            reference);
}

TEST(Problem, RosenbrockOfOneParameterIsWarnedAbout) {
  EXPECT_EQ(make_problem(sample::benchmark("rosenbrock", 1, -5, 5)).warnings.size(), 1U);
  EXPECT_TRUE(make_problem(sample::benchmark("rosenbrock", 2, -5, 5)).warnings.empty());
}

}  // namespace
}  // namespace atl::de
