// A good problem file damaged at random: it loads or ends in one Error 78 that tells the place, never in a crash. Run
// under the sanitizers (ATOLL_SANITIZE) this also shows that the TOML library never sees what it cannot stand.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/de_settings.hpp"
#include "config/good_problem.hpp"
#include "config/scratch.hpp"

namespace atl::config {
namespace {

using test::Verdict;

TEST(DeMutation, ADamagedFileLoadsOrIsRefusedWithItsLine) {
  const test::Scratch scratch;
  test::Mutator mutator = test::toml_mutator(20240611);
  int refused = 0;
  constexpr int files = 1000;

  for (int i = 0; i < files; ++i) {
    const std::string text = mutator.text(test::good_problem);
    const std::string file = scratch.write("problem.toml", text);
    const Verdict verdict = test::verdict_of([&] { (void)load_de(file, {}); });

    refused += verdict.code != 0;
    if (verdict.code == 0) continue;
    EXPECT_EQ(verdict.code, 78) << verdict.message << "\nfile " << i << ":\n" << text;
    EXPECT_TRUE(test::tells_line(verdict.message, file)) << verdict.message << "\nfile " << i << ":\n" << text;
  }

  EXPECT_GT(refused, files / 4);  // the damage is real
  EXPECT_LT(refused, files);
}

TEST(DeMutation, DamagedOverridesLoadOrAreRefused) {
  const test::Scratch scratch;
  const std::string file = scratch.write("problem.toml", test::good_problem);
  test::Mutator mutator = test::toml_mutator(7);

  for (int i = 0; i < 1000; ++i) {
    const std::string key = mutator.text("parameters.a1");
    const std::string value = mutator.text("{ min = -1, max = 2.5, start = 1 }");
    const std::string time = mutator.text("11h30m");
    const Verdict verdict = test::verdict_of([&] {
      (void)load_de(file, {{key, value, "--set"}, {"stop.time", time, "--set stop.time"}});
    });

    EXPECT_TRUE(verdict.code == 0 || verdict.code == 78) << verdict.message << " for " << key << "=" << value;
  }
}

}  // namespace
}  // namespace atl::config
