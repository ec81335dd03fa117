// A good problem file damaged at random: it loads or ends in one Error 78 that tells the place, never in a crash. Run
// under the sanitizers (ATOLL_SANITIZE) this also shows that the TOML library never sees what it cannot stand.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/de_settings.hpp"
#include "config/good_problem.hpp"

namespace atl::config {
namespace {

TEST(DeMutation, ADamagedFileLoadsOrIsRefusedWithItsLine) {
  const test::ScratchFolder folder;

  test::expect_loaded_or_refused_with_its_line(folder, {test::good_problem}, 20240611,
                                               [](const std::string& file) { (void)load_de(file, {}); });
}

TEST(DeMutation, DamagedOverridesLoadOrAreRefused) {
  const test::ScratchFolder folder;
  const std::string file = folder.write("problem.toml", test::good_problem);
  test::Mutator mutator = test::toml_mutator(7);

  for (int i = 0; i < 1000; ++i) {
    const std::string key = mutator.text("parameters.a1");
    const std::string value = mutator.text("{ min = -1, max = 2.5, start = 1 }");
    const std::string time = mutator.text("11h30m");
    const test::Verdict verdict = test::verdict_of([&] {
      (void)load_de(file, {{key, value, "--set"}, {"stop.time", time, "--set stop.time"}});
    });

    EXPECT_TRUE(verdict.code == 0 || verdict.code == 78) << verdict.message << " for " << key << "=" << value;
  }
}

}  // namespace
}  // namespace atl::config
