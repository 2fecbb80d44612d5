// What Slurm's commands are asked, and what they print (22.05).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/remote/slurm.h"

namespace warpmark::remote {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SlurmTexts, an_array_is_asked_for_with_what_the_instructor_wants_first) {
  Batch batch{"warpmark-1", "/shared/out put", "task.sh", "log/%a.txt", 300, 8, "", {"--partition=gpu"}};
  EXPECT_THAT(sbatch_arguments(batch),
              ElementsAre("--partition=gpu", "--parsable", "--job-name=warpmark-1", "--chdir=/shared/out put",
                          "--output=log/%a.txt", "--array=1-300%8", "/shared/out put/task.sh"));
  batch.tasks = 0;
  batch.after = "12";
  EXPECT_THAT(sbatch_arguments(batch), Contains("--dependency=afterany:12"));
}

TEST(SlurmTexts, a_jobs_id_is_found_among_warnings) {
  EXPECT_EQ(job_id_in("123\n"), "123");
  EXPECT_EQ(job_id_in("sbatch: warning: can't honor 2 tasks\n123;far\n"), "123");
  EXPECT_EQ(job_id_in("sbatch: error: no\n"), "");
}

TEST(SlurmTexts, a_queue_counts_every_task) {
  const auto queue = queue_in("6|RUNNING\n6|PENDING\n7|PENDING\nslurm_load_jobs warning\n");
  ASSERT_THAT(queue, SizeIs(3));
  EXPECT_EQ(queue[0].job, "6");
  EXPECT_EQ(queue[2].state, "PENDING");
  const auto single = queue_in("8|PENDING|Resources\n9|RUNNING|None\n");
  ASSERT_THAT(single, SizeIs(2));
  EXPECT_EQ(single[0].state, "PENDING");
  EXPECT_EQ(single[0].reason, "Resources");
  EXPECT_EQ(single[1].reason, "");
  EXPECT_THAT(queue_in(""), IsEmpty());
}

TEST(SlurmTexts, lists_of_tasks_become_numbers) {
  EXPECT_THAT(numbers_in("3-5,9%2"), ElementsAre(3, 4, 5, 9));
  EXPECT_THAT(numbers_in(""), IsEmpty());
}

TEST(SlurmTexts, how_tasks_ended_is_known_with_the_reason) {
  const auto ended = ended_in(
      "JobId=7 ArrayJobId=6 ArrayTaskId=1 JobName=w JobState=CANCELLED Reason=None ExitCode=0:15 "
      "BatchHost=vm a\n"
      "JobId=8 ArrayJobId=6 ArrayTaskId=2 JobName=w JobState=NODE_FAIL ExitCode=0:0 BatchHost=n2\n"
      "JobId=9 ArrayJobId=6 ArrayTaskId=3 JobName=w JobState=FAILED ExitCode=0:9 BatchHost=n2\n"
      "JobId=6 ArrayJobId=6 ArrayTaskId=4-5 JobName=w JobState=CANCELLED ExitCode=0:0 NodeList=(null)\n");
  ASSERT_THAT(ended, SizeIs(5));
  EXPECT_EQ(reason_of(ended.at(1)), "was cancelled (scancel)");
  EXPECT_EQ(ended.at(2).node, "n2");
  EXPECT_EQ(reason_of(ended.at(2)), "its node failed");
  EXPECT_EQ(reason_of(ended.at(3)), "was killed by signal 9");
  EXPECT_EQ(ended.at(5).node, "");
  EXPECT_EQ(reason_of({"BOOT_FAIL", "", 0}), "ended as BOOT_FAIL");
}

TEST(SlurmTexts, why_a_job_left_nothing_is_said_with_the_end_of_its_log) {
  const auto ended =
      ended_in("JobId=7 JobName=w JobState=TIMEOUT Reason=TimeLimit ExitCode=0:0 BatchHost=n1 a\n");
  ASSERT_THAT(ended, SizeIs(1));
  const TemporaryFolder folder;
  const auto log = folder.path() / "log.txt";
  ASSERT_TRUE(write_file(log, "v1.builds: passed\nslurmstepd: error: CANCELLED DUE TO TIME LIMIT\n"));
  EXPECT_EQ(
      why_without_result("job 7", &ended.at(0), log),
      "job 7 on n1 ran out of the time that Slurm gives it (--slurm-options \"--time=MINUTES\") and left "
      "no grade; its last output: slurmstepd: error: CANCELLED DUE TO TIME LIMIT");
  EXPECT_EQ(why_without_result("job 7", nullptr, folder.path() / "none"), "job 7 and left no grade");
}

TEST(SlurmTexts, a_gpu_is_asked_for_unless_the_options_do) {
  EXPECT_THAT(options_with_gpu({"--time=5"}, true), ElementsAre("--gres=gpu:1", "--time=5"));
  EXPECT_THAT(options_with_gpu({"--gpus=2"}, true), ElementsAre("--gpus=2"));
  EXPECT_THAT(options_with_gpu({}, false), IsEmpty());
}

TEST(SlurmTexts, an_array_is_as_large_as_the_cluster_lets_it) {
  EXPECT_EQ(largest_array_in("MailProg = /bin/mail\nMaxArraySize            = 1001\n"), 1000);
  EXPECT_EQ(largest_array_in(""), 1000);
}

}  // namespace
}  // namespace warpmark::remote
