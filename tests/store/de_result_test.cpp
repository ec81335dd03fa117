// The file has every path that the README names, with its shape.
#include "store/de_result.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "scratch.hpp"
#include "store/sample_result.hpp"

namespace atl::store {
namespace {

using test::sample_result;
using test::ScratchFolder;

TEST(DeResult, HasEveryPathWithItsShape) {
  const ScratchFolder folder;
  const DeResult result = sample_result();

  write_de_result(result, folder / "a.h5");
  const ReadFile file(folder / "a.h5");

  const hsize_t d = 3, i = 2, np = 4, t = 3, rows = 5;
  EXPECT_EQ(file.shape("/x"), Shape{d});
  EXPECT_EQ(file.shape("/fun"), Shape{});
  for (const char* name : {"name", "min", "max", "scale", "integer", "fixed", "at_bound"})
    EXPECT_EQ(file.shape(std::string("/parameters/") + name), Shape{d}) << name;
  EXPECT_EQ(file.shape("/islands/population"), (Shape{i, np, d}));
  EXPECT_EQ(file.shape("/islands/population_energies"), (Shape{i, np}));
  EXPECT_EQ(file.shape("/islands/x"), (Shape{i, d}));
  for (const char* name : {"population_size", "fun", "nfev", "value_to_reach_nfev"})
    EXPECT_EQ(file.shape(std::string("/islands/") + name), Shape{i}) << name;
  for (const char* name : {"generation", "evaluations", "seconds", "best", "mean", "std"})
    EXPECT_EQ(file.shape(std::string("/history/") + name), Shape{t}) << name;
  EXPECT_EQ(file.shape("/history/island_best"), (Shape{t, i}));
  for (const char* name : {"generation", "source", "destination", "energy"})
    EXPECT_EQ(file.shape(std::string("/migrations/") + name), Shape{1}) << name;
  EXPECT_EQ(file.shape("/migrations/x"), (Shape{1, d}));
  EXPECT_EQ(file.shape("/fit/predicted"), Shape{rows});
  EXPECT_EQ(file.shape("/fit/residual"), Shape{rows});
  for (const char* name : {"rank", "host", "name", "id", "driver", "evaluations", "busy_seconds"})
    EXPECT_EQ(file.shape(std::string("/devices/") + name), Shape{1}) << name;
}

TEST(DeResult, HasEveryAttribute) {
  const ScratchFolder folder;
  const DeResult result = sample_result();

  write_de_result(result, folder / "a.h5");
  const ReadFile file(folder / "a.h5");

  EXPECT_EQ(file.text_attribute("/", "format"), "atoll-de");
  EXPECT_EQ(file.integer_attribute("/", "format_version"), 1);
  for (const char* name : {"state", "message", "stop_reason", "config", "command_line", "atoll_version", "git_hash",
                           "mpi", "hdf5", "started", "finished"})
    EXPECT_FALSE(file.text_attribute("/", name).empty()) << name;
  for (const char* name : {"success", "converged", "nit", "nfev", "polish_nfev", "fun_before_polish", "nan_evaluations",
                           "inf_evaluations", "ranks", "seconds"})
    EXPECT_TRUE(file.has_attribute("/", name)) << name;
  EXPECT_EQ(file.unsigned_attribute("/", "seed"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(file.texts_attribute("/x", "names"), result.names);
  EXPECT_EQ(file.number_attribute("/fit", "r_squared"), *result.r_squared);
  EXPECT_EQ(file.integer_attribute("/migrations", "accepted"), 7);
  EXPECT_EQ(file.integer_attribute("/migrations", "listed"), 1);
  EXPECT_FALSE(file.has_attribute("/", "slurm_job_id"));
}

TEST(DeResult, LeavesOutWhatARunDoesNotHave) {
  const ScratchFolder folder;
  DeResult result = sample_result();
  result.migration_x.clear();
  result.fit_predicted.clear();
  result.fit_residual.clear();
  result.r_squared = result.rmse = std::nullopt;

  write_de_result(result, folder / "a.h5");
  const ReadFile file(folder / "a.h5");

  EXPECT_FALSE(file.has("/migrations/x"));
  EXPECT_FALSE(file.has("/fit"));
}

TEST(DeResult, EqualResultsAreEqualBytes) {
  const ScratchFolder folder;

  write_de_result(sample_result(), folder / "a.h5");
  write_de_result(sample_result(), folder / "b.h5");

  EXPECT_EQ(folder.read("a.h5"), folder.read("b.h5"));
}

TEST(DeResult, SizesThatContradictEachOtherAreOurFaultAndLeaveNoFile) {
  const ScratchFolder folder;
  DeResult result = sample_result();
  result.population.pop_back();

  EXPECT_EQ(test::code_of([&] { write_de_result(result, folder / "a.h5"); }), ExitCode::internal);
  EXPECT_EQ(folder.entries(), 0U);
}

}  // namespace
}  // namespace atl::store
