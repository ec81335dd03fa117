// What a sweep refuses to be trained with, before its first map.
#include "som/sweep.hpp"

#include <gtest/gtest.h>

#include "scratch.hpp"

namespace atl::som {
namespace {

class LoadedSweep : public ::testing::Test {
 protected:
  /// What load_sweep() says to these points and lines of [data] and [run].
  [[nodiscard]] std::string verdict(const std::string& points, const std::string& data = "",
                                    const std::string& run = "") const {
    (void)folder_.write("points.csv", points);
    const std::string file = folder_.write(
        "sweep.toml", "[data]\nfile = \"points.csv\"\n" + data + "\n[sweep]\nneurons = 3\n[run]\n" + run + "\n");
    return test::message_of([&] { sweep_ = load_sweep(file, {}); });
  }

  test::ScratchFolder folder_;
  mutable Sweep sweep_;
};

constexpr const char* tiny = "a,b\n1e-23,2e-23\n3e-23,5e-23\n4e-23,1e-23\n";

TEST_F(LoadedSweep, SquaresThatSinglePrecisionLosesAreRefusedWithTheWaysOut) {
  const std::string message = verdict(tiny, "", "precision = \"single\"");

  for (const char* part : {"points.csv", "4e-23", "single", "data.scale = \"zscore\"", "run.precision = \"double\""})
    EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
}

TEST_F(LoadedSweep, TinyValuesAreFineScaledOrInDoublePrecision) {
  EXPECT_EQ(verdict(tiny, "scale = \"zscore\"", "precision = \"single\""), "");
  EXPECT_EQ(verdict(tiny, "scale = \"minmax\"", "precision = \"single\""), "");
  EXPECT_EQ(verdict(tiny, "", "precision = \"double\""), "");
  EXPECT_NE(verdict("a\n1e-160\n3e-160\n", "", "precision = \"double\"").find("in double precision"),
            std::string::npos);
}

TEST_F(LoadedSweep, OneColumnOfUsualWidthIsEnoughAndSoIsNoWidth) {
  EXPECT_EQ(verdict("a,b\n1e-23,2\n3e-23,5\n4e-23,1\n", "", "precision = \"single\""), "");
  EXPECT_EQ(verdict("a,b\n7,7\n7,7\n", "", "precision = \"single\""), "");
}

TEST_F(LoadedSweep, SquaresBeyondSinglePrecisionAreRefused) {
  EXPECT_NE(verdict("a,b\n1,2\n3e30,5\n", "", "precision = \"single\"").find("too large for distances in single"),
            std::string::npos);
}

TEST_F(LoadedSweep, ColumnsOutsideUseMayHoldAnything) {
  ASSERT_EQ(verdict("name,a,b\nfoo,1,2\nbar,3,4\n,5,6\n", "use = [\"b\", 1]"), "");

  EXPECT_EQ(sweep_.inputs.data.names, (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(sweep_.inputs.data.values, (std::vector<double>{2, 1, 4, 3, 6, 5}));
}

TEST_F(LoadedSweep, ColumnsInUseAreStillNumbers) {
  EXPECT_NE(verdict("name,a\nfoo,1\n", "use = [0, 1]").find("row 1, column 1 (\"name\"): \"foo\" is not a number"),
            std::string::npos);
  EXPECT_NE(verdict("name,a\nfoo,1\n", "use = [\"c\"]").find("there is no column 'c'"), std::string::npos);
}

}  // namespace
}  // namespace atl::som
