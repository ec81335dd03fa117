// Damaged sweep files through every check that a run makes before its first map: a sweep or a documented Error that
// names the file and the line, or the table's file and line.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/good_sweep.hpp"
#include "som/sweep.hpp"
#include "store/scratch.hpp"

namespace atl::som {
namespace {

TEST(SweepDamage, ADamagedFileIsASweepOrRefusedWithItsPlace) {
  const test::ScratchFolder folder;
  test::Mutator mutator = test::toml_mutator(20240614);
  const std::string points = folder.write("points.csv", "a,b,c\n1,2,3\n2,NA,4\n3,5,1\n0,1,1\n");
  int refused = 0;
  constexpr int files = 1000;

  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.text(test::good_sweep);
    const std::string file = folder.write("sweep.toml", text);
    const test::Verdict verdict = test::verdict_of([&] { (void)load_sweep(file, {}); });

    refused += verdict.code != 0;
    if (verdict.code == 0) continue;
    SCOPED_TRACE(verdict.message + "\nfile " + std::to_string(i) + ":\n" + text);
    EXPECT_TRUE(verdict.code == 65 || verdict.code == 66 || verdict.code == 78);
    EXPECT_TRUE(test::tells_line(verdict.message, file) || test::tells_line(verdict.message, points));
  }

  EXPECT_GT(refused, files / 4);
  EXPECT_LT(refused, files);
}

}  // namespace
}  // namespace atl::som
