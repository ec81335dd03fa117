// A good sweep file damaged at random: it loads or ends in one Error 78 that tells the place, never in a crash.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/good_sweep.hpp"
#include "config/scratch.hpp"
#include "config/som_settings.hpp"

namespace atl::config {
namespace {

TEST(SomMutation, ADamagedFileLoadsOrIsRefusedWithItsLine) {
  const test::Scratch scratch;
  test::Mutator mutator = test::toml_mutator(20240612);
  int refused = 0;
  constexpr int files = 1000;

  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.text(test::good_sweep);
    const std::string file = scratch.write("sweep.toml", text);
    const test::Verdict verdict = test::verdict_of([&] { (void)load_som(file, {}); });

    refused += verdict.code != 0;
    if (verdict.code == 0) continue;
    EXPECT_EQ(verdict.code, 78) << verdict.message << "\nfile " << i << ":\n" << text;
    EXPECT_TRUE(test::tells_line(verdict.message, file)) << verdict.message << "\nfile " << i << ":\n" << text;
  }

  EXPECT_GT(refused, files / 4);  // the damage is real
  EXPECT_LT(refused, files);
}

}  // namespace
}  // namespace atl::config
