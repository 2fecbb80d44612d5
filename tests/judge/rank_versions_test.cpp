// Versions with MPI and on several GPUs: how a rubric declares them, how they are started, and what is said
// of ranks that end without an answer.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/rules/course.h"
#include "harness/judge/workers/mpi.h"
#include "harness/judge/workers/rank_causes.h"
#include "harness/judge/workers/worker_box.h"

namespace warpmark::judge {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kRanksRubric = R"(title = "Sums"
contract = "sums.h"
types = ["int"]

[points]
builds = 1
correct = 4
fast = 2

[correct]
sizes = [0, 1]

[host]
naive = "alone"
type = "int"
size = 4096

[[version]]
name = "alone"
engine = "host"
checks = ["builds", "correct"]

[[version]]
name = "messages"
engine = "host"
ranks = [1, 2, 4]
checks = ["builds", "correct", "fast"]
efficiency = 0.5

[[version]]
name = "two"
gpus = 2
checks = ["builds", "correct"]
)";

std::string refusal_of_ranks(std::string_view what, std::string_view by) {
  std::string text(kRanksRubric);
  text.replace(text.find(what), what.size(), by);
  const auto rubric = parse_rubric(text, "rubric.toml", "sums");
  return rubric ? "not refused" : rubric.error().message;
}

Course course_with(unsigned cores) {
  return resolve(*parse_rubric(kRanksRubric, "rubric.toml", "sums"), std::nullopt,
                 {.focus = {}, .only = "*", .cores = cores});
}

TEST(RankVersions, are_declared_by_their_numbers_of_ranks) {
  const auto rubric = parse_rubric(kRanksRubric, "rubric.toml", "sums");
  ASSERT_TRUE(rubric) << rubric.error().message;
  EXPECT_THAT(rubric->find("messages")->ranks, ElementsAre(1, 2, 4));
  EXPECT_TRUE(rubric->find("alone")->ranks.empty());
  EXPECT_EQ(rubric->find("two")->gpus, 2);
  EXPECT_TRUE(rubric->has_ranks());
}

TEST(RankVersions, have_one_rank_at_least_and_not_too_many) {
  EXPECT_THAT(refusal_of_ranks("[1, 2, 4]", "[0, 2]"), HasSubstr("ranks must be from 1 to 16"));
  EXPECT_THAT(refusal_of_ranks("[1, 2, 4]", "[17]"), HasSubstr("ranks must be from 1 to 16"));
  EXPECT_THAT(refusal_of_ranks("[1, 2, 4]", "[]"), HasSubstr("ranks"));
  EXPECT_THAT(refusal_of_ranks("gpus = 2", "gpus = 9"), HasSubstr("gpus must be from 1 to 8"));
  EXPECT_THAT(refusal_of_ranks("ranks = [1, 2, 4]", "gpus = 2"), HasSubstr("gpus is for versions of CUDA"));
}

TEST(RankVersions, are_timed_with_as_many_ranks_as_have_a_core_each) {
  const auto asked = [](unsigned cores) {
    const Course course = course_with(cores);
    const VersionRule& version = *course.rubric.find("messages");
    return std::pair(course.timed_ranks(version), course.required_speeds(version).front());
  };
  EXPECT_EQ(asked(8), std::pair(4, 2.0));
  EXPECT_EQ(asked(3), std::pair(2, 1.0));
  EXPECT_FALSE(course_with(2).obstacle_to_host_fast(*course_with(2).rubric.find("messages")));
}

TEST(RankVersions, are_not_timed_where_two_ranks_have_no_core_each) {
  const Course one = course_with(1);
  const auto obstacle = one.obstacle_to_host_fast(*one.rubric.find("messages"));
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->kind, CauseKind::no_cores);
  Course few = course_with(2);
  VersionRule version = *few.rubric.find("messages");
  version.ranks = {1, 4};
  const auto too_many = few.obstacle_to_host_fast(version);
  ASSERT_TRUE(too_many);
  EXPECT_EQ(too_many->kind, CauseKind::no_cores);
  EXPECT_THAT(too_many->message,
              HasSubstr("1, 4 ranks, which need one core each, and this process may use 2"));
}

TEST(RankStarter, is_mpirun_and_within_an_allocation_srun_unless_there_is_a_box) {
  RankStart start;
  start.ranks = 3;
  start.mpi.mpirun = "/usr/bin/mpirun";
  EXPECT_THAT(rank_starter(start, true), Contains("--allow-run-as-root"));
  EXPECT_THAT(rank_starter(start, true), Contains("--oversubscribe"));
  EXPECT_THAT(rank_starter(start, true), Not(Contains("--quiet"))) << "which Open MPI 5 does not know";
  start.mpi.srun = "/usr/bin/srun";
  EXPECT_EQ(rank_starter(start, true).front(), "/usr/bin/mpirun");
  EXPECT_EQ(rank_starter(start, false).front(), "/usr/bin/srun");
  EXPECT_THAT(rank_starter(start, false), Contains("--ntasks=3"));
}

TEST(RankStarter, keeps_what_ranks_leave_in_its_folder_and_off_the_network) {
  RankStart start;
  const auto environment = rank_environment(start, "/somewhere", true);
  EXPECT_EQ(environment.at("OMPI_MCA_orte_tmpdir_base"), "/somewhere");
  EXPECT_EQ(environment.at("OMPI_MCA_btl_vader_backing_directory"), "/somewhere");
  EXPECT_EQ(environment.at("OMPI_MCA_btl"), "self,vader");
  EXPECT_EQ(environment.at("PRTE_MCA_prte_tmpdir_base"), "/somewhere");
  EXPECT_EQ(environment.at("OMPI_MCA_btl_sm_backing_directory"), "/somewhere");
  EXPECT_EQ(environment.at("OMPI_MCA_smsc"), "^cma,xpmem");
}

TEST(RankCommand, is_the_launcher_with_the_worker_behind_it) {
  Installation installation;
  installation.programs = "/programs";
  RankStart start;
  start.ranks = 2;
  start.mpi.mpirun = "/usr/bin/mpirun";
  sandbox::Command command;
  command.argv = {"/programs/warpmark-worker-host"};
  add_ranks(command, installation, start, "/libraries/1.so", "/tmp", false);
  EXPECT_EQ(command.argv.front(), "/programs/warpmark-ranks");
  const std::vector<std::string> end(command.argv.end() - 6, command.argv.end());
  EXPECT_THAT(end,
              ElementsAre("--", "/programs/warpmark-worker-host", "--rank", "0", "2", "/libraries/1.so"));
}

TEST(RankCauses, name_the_ranks_what_each_does_and_what_to_look_for) {
  const wire::RanksFailure failure{
      wire::RanksEnd::deadlock,
      2,
      {{0, "waits in MPI_Recv for rank 1", 0}, {1, "has returned from the version", 0}},
      "look for a send"};
  const Cause cause = cause_of(failure);
  EXPECT_EQ(cause.kind, CauseKind::deadlock);
  EXPECT_EQ(
      cause.message,
      "with 2 ranks, no rank can go on: rank 0 waits in MPI_Recv for rank 1; rank 1 has returned from the "
      "version. Look for a send");
  EXPECT_EQ(cause_of({wire::RanksEnd::mpi_error, 2, {}, ""}).kind, CauseKind::mpi_error);
  EXPECT_EQ(cause_of({wire::RanksEnd::exited, 2, {}, ""}).kind, CauseKind::exited);
}

TEST(FindMpi, finds_open_mpi_with_its_flags_or_says_what_to_install) {
  const auto mpi = find_mpi();
  if (!mpi) {
    EXPECT_THAT(mpi.error().message, HasSubstr("apt-get install libopenmpi-dev openmpi-bin"));
    return;
  }
  EXPECT_THAT(mpi->description, HasSubstr("Open MPI "));
  EXPECT_THAT(mpi->link_flags, Contains("-lmpi"));
  EXPECT_THAT(mpi->compile_flags, Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace warpmark::judge
