#include "cluster/launcher.hpp"

#include <gtest/gtest.h>

#include <map>

namespace atl::cluster {
namespace {

using Variables = std::map<std::string, std::string>;

Variable look_up(const Variables& variables) {
  return [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

std::string check(int size, const Variables& variables) {
  return wrong_launcher(size, look_up(variables));
}

Variables quick(const Variables& variables) {
  const auto settings = quick_start(look_up(variables));
  return {settings.begin(), settings.end()};
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

TEST(QuickStart, AProcessAloneNeedsNeitherNetworkNorDaemon) {
  const Variables expected{{"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_ess_singleton_isolated", "1"}};

  EXPECT_EQ(quick({}), expected);
  EXPECT_EQ(quick({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "4"}}), expected);  // in a batch script, without srun
}

TEST(QuickStart, RanksOfOneHostNeedNoNetwork) {
  const Variables expected{{"OMPI_MCA_pml", "ob1"}};

  EXPECT_EQ(quick({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}, {"PMIX_RANK", "2"}}), expected);
}

TEST(QuickStart, JobsOverSeveralHostsKeepTheirNetwork) {
  EXPECT_EQ(quick({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}), Variables{});
}

TEST(QuickStart, LaunchersThatDoNotTellAreLeftAlone) {
  EXPECT_EQ(quick({{"PMIX_RANK", "0"}}), Variables{});
  EXPECT_EQ(quick({{"PMI_RANK", "0"}, {"PMI_SIZE", "4"}}), Variables{});
  EXPECT_EQ(quick({{"OMPI_COMM_WORLD_SIZE", "4"}}), Variables{});
}

TEST(QuickStart, TheUsersTransportStays) {
  const Variables here{{"OMPI_COMM_WORLD_SIZE", "2"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}};
  for (const char* name : {"OMPI_MCA_pml", "OMPI_MCA_mtl", "OMPI_MCA_btl"}) {
    Variables chosen = here;
    chosen[name] = "self,tcp";
    EXPECT_EQ(quick(chosen), Variables{}) << name;
  }
}

}  // namespace
}  // namespace atl::cluster
