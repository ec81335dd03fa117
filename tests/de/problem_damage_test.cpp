// Damaged problem files through every check that a run makes before its first kernel: a problem or a documented Error
// that names the file and the line, or the table's file and line.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "de/problem.hpp"

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
  const test::GoodToml good{problem, {65, 66, 78}, folder.write("tables.csv", table)};

  test::expect_loaded_or_refused_with_its_line(
      folder, good, 20240613, [](const std::string& file) { (void)make_problem(config::load_de(file, {}).settings); });
}

}  // namespace
}  // namespace atl::de
