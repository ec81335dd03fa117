// The scripts beside the program read what the program writes.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <functional>

#include "scratch.hpp"
#include "store/de_result.hpp"
#include "store/sample_result.hpp"

namespace atl::store {
namespace {

using test::sample_result;
using test::ScratchFolder;

// Runs a script of scripts/ with its output in a file; its exit code.
int run_script(const std::string& command, const std::string& output) {
  const int status =
      std::system(("/usr/bin/python3 " PROJECT_ROOT "scripts/" + command + " > " + output + " 2>&1").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

struct Comparison {
  int code;
  std::string text;
};

Comparison compared_with_sample(const std::function<void(DeResult&)>& change) {
  const ScratchFolder folder;
  DeResult changed = sample_result();
  change(changed);
  write_de_result(sample_result(), folder / "a.h5");
  write_de_result(changed, folder / "b.h5");
  const int code = run_script("compare_h5.py " + (folder / "a.h5") + " " + (folder / "b.h5"), folder / "text");
  return {code, folder.read("text")};
}

TEST(CompareH5, WhenWhereAndByWhomARunWasMadeDoesNotCount) {
  const auto [code, text] = compared_with_sample([](DeResult& result) {
    result.provenance.ranks = 4;
    result.provenance.seconds = 99;
    result.provenance.command_line = "mpirun -n 4 atoll de line.toml";
    result.provenance.started = result.provenance.finished = "later";
    result.history_seconds[1] = 7;
    result.devices.push_back(result.devices.front());
  });

  EXPECT_EQ(code, 0) << text;
  EXPECT_NE(text.find("equal bits in"), std::string::npos) << text;
}

TEST(CompareH5, OneBitOfAResultCounts) {
  const auto [code, text] = compared_with_sample([](DeResult& result) { result.population[5] = 1.0000000000000002; });

  EXPECT_EQ(code, 1) << text;
  const std::string expected = "/islands/population: 1 of 24 differ\n    [0, 1, 2]: 1.0 / 1.0000000000000002\n1 of ";
  EXPECT_EQ(text.substr(0, expected.size()), expected);
}

TEST(CompareH5, TheSignOfZeroAndAttributesAndMissingPathsCount) {
  EXPECT_EQ(compared_with_sample([](DeResult& result) { result.fit_residual[4] = -0.0; }).code, 1);
  EXPECT_EQ(compared_with_sample([](DeResult& result) { result.message = "other"; }).code, 1);
  EXPECT_EQ(compared_with_sample([](DeResult& result) { result.migration_x.clear(); }).code, 1);
}

TEST(CompareH5, AFileThatCannotBeReadIsNotADifference) {
  const ScratchFolder folder;

  EXPECT_EQ(run_script("compare_h5.py " + (folder / "a.h5") + " " + (folder / "b.h5"), folder / "text"), 2);
}

TEST(PlotDe, DrawsAResultAndRefusesOtherFiles) {
  const ScratchFolder folder;
  write_de_result(sample_result(), folder / "a.h5");
  folder.write("text.h5", "text");

  EXPECT_EQ(run_script("plot_de.py " + (folder / "a.h5"), folder / "text"), 0) << folder.read("text");
  EXPECT_EQ(folder.read("a.png").substr(1, 3), "PNG");
  EXPECT_EQ(run_script("plot_de.py " + (folder / "text.h5"), folder / "text"), 65) << folder.read("text");
  EXPECT_EQ(run_script("plot_de.py " + (folder / "nothing.h5"), folder / "text"), 66) << folder.read("text");
}

}  // namespace
}  // namespace atl::store
