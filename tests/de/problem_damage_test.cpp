// Damaged problem files through every check that a run makes before its first kernel: a problem or a documented Error
// that names the file and the line, or the table's file and line.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "de/problem.hpp"
#include "store/scratch.hpp"

namespace atl::de {
namespace {

constexpr const char* problem = R"([problem]
model  = "(a1*x1 + a0) * exp(-k*x2) + p[0] - p[1]*`x 3` + c"
data   = "tables.csv"
target = "y"
loss   = "huber:1.5"
weight = "w"

[constants]
c = 2.5

[parameters]
a1 = [-20, 20]
a0 = { min = -20, max = 20, start = 1 }
k  = { min = 1e-9, max = 1e3, scale = "log" }
p  = { min = 0, max = 7, integer = true, size = 2 }

[algorithm]
population = 40

[islands]
count = 16

[migration]
topology = "ring"
interval = 20

[stop]
evaluations = 80_000

[run]
seed = 42
)";

constexpr const char* table = "x1,x2,x 3,y,w\n1,2,3,4,1\n2,3,4,5,0.5\n3,5,1,2,0\n";

TEST(ProblemDamage, ADamagedFileIsAProblemOrRefusedWithItsPlace) {
  const test::ScratchFolder folder;
  test::Mutator mutator = test::toml_mutator(20240613);
  const std::string tables = folder.write("tables.csv", table);
  int refused = 0;
  constexpr int files = 1000;

  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.text(problem);
    const std::string file = folder.write("problem.toml", text);
    const test::Verdict verdict = test::verdict_of([&] { (void)make_problem(config::load_de(file, {}).settings); });

    refused += verdict.code != 0;
    if (verdict.code == 0) continue;
    SCOPED_TRACE(verdict.message + "\nfile " + std::to_string(i) + ":\n" + text);
    EXPECT_TRUE(verdict.code == 65 || verdict.code == 66 || verdict.code == 78);
    EXPECT_TRUE(test::tells_line(verdict.message, file) || test::tells_line(verdict.message, tables));
  }

  EXPECT_GT(refused, files / 4);
  EXPECT_LT(refused, files);
}

}  // namespace
}  // namespace atl::de
