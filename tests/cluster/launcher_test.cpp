#include "cluster/launcher.hpp"

#include <gtest/gtest.h>

#include <map>

namespace atl::cluster {
namespace {

std::string check(int size, const std::map<std::string, std::string>& variables) {
  return wrong_launcher(size, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launcher, SeparateCopiesInAStepOfSeveralTasksAreRefused) {
  const std::string message = check(1, {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}});

  EXPECT_NE(message.find("started 4 tasks"), std::string::npos) << message;
  EXPECT_NE(message.find("--mpi=pmix"), std::string::npos) << message;
}

TEST(Launcher, WithoutTheStepsOwnCountTheJobsCountDecides) {
  EXPECT_NE(check(1, {{"SLURM_STEP_ID", "3"}, {"SLURM_NTASKS", "2"}}), "");
}

TEST(Launcher, APlainCallInABatchScriptOfManyTasksIsFine) {
  EXPECT_EQ(check(1, {{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}}), "");
  EXPECT_EQ(check(1, {{"SLURM_STEP_ID", "batch"}, {"SLURM_NTASKS", "4"}}), "");
  EXPECT_EQ(check(1, {{"SLURM_STEP_ID", "4294967291"}, {"SLURM_NTASKS", "4"}}), "");  // the batch step by number
  EXPECT_EQ(check(1, {{"SLURM_STEP_ID", "4294967290"}, {"SLURM_NTASKS", "4"}}), "");  // salloc's shell
}

TEST(Launcher, AStepOfOneTaskInALargerJobIsFine) {
  EXPECT_EQ(check(1, {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_NTASKS", "4"}}), "");
}

TEST(Launcher, OneRankThatMpirunStartedThroughSrunIsFine) {
  const std::map<std::string, std::string> step{{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}};
  auto open_mpi = step, hydra = step;
  open_mpi["OMPI_COMM_WORLD_SIZE"] = "1";
  hydra["PMI_SIZE"] = "1";

  EXPECT_EQ(check(1, open_mpi), "");
  EXPECT_EQ(check(1, hydra), "");
}

TEST(Launcher, RanksThatSeeEachOtherAreFine) {
  EXPECT_EQ(check(4, {{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"}}), "");
}

TEST(Launcher, OutsideSlurmOneProcessIsFine) {
  EXPECT_EQ(check(1, {}), "");
}

}  // namespace
}  // namespace atl::cluster
