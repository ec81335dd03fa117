// A good sweep file damaged at random: it loads or ends in one Error 78 that tells the place, never in a crash.
#include <gtest/gtest.h>

#include "config/damaged_toml.hpp"
#include "config/good_sweep.hpp"
#include "config/som_settings.hpp"

namespace atl::config {
namespace {

TEST(SomMutation, ADamagedFileLoadsOrIsRefusedWithItsLine) {
  const test::ScratchFolder folder;

  test::expect_loaded_or_refused_with_its_line(folder, {test::good_sweep}, 20240612,
                                               [](const std::string& file) { (void)load_som(file, {}); });
}

}  // namespace
}  // namespace atl::config
