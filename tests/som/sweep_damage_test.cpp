// Damaged sweep files through every check that a run makes before its first map: a sweep or a documented Error that
// names the file and the line, or the table's file and line.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/good_sweep.hpp"
#include "som/sweep.hpp"

namespace atl::som {
namespace {

TEST(SweepDamage, ADamagedFileIsASweepOrRefusedWithItsPlace) {
  const test::ScratchFolder folder;
  const std::string points = folder.write("points.csv", "a,b,c\n1,2,3\n2,NA,4\n3,5,1\n0,1,1\n");

  test::expect_loaded_or_refused_with_its_line(folder, {test::good_sweep, {65, 66, 78}, points}, 20240614,
                                               [](const std::string& file) { (void)load_sweep(file, {}); });
}

}  // namespace
}  // namespace atl::som
