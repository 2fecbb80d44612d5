// `warpmark grade --on slurm` on a real cluster of one node, which the test starts.
#include "tests/remote/elsewhere_fixture.h"
#include "tests/remote/slurm_cluster.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SlurmGradeLong : public Elsewhere {
 protected:
  void SetUp() override {
    const auto started = cluster.start(folder.path() / "cluster");
    if (started) return;
    if (started.error().message.find("slurmd runs as root") == 0 ||
        started.error().message.find("is missing") != std::string::npos)
      GTEST_SKIP() << started.error().message;
    FAIL() << started.error().message;
  }
  std::map<std::string, std::string> environment() const override {
    auto all = cluster.environment();
    all["HOME"] = (folder.path() / "home").string();
    return all;
  }
  static std::vector<std::string> on_slurm(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"--on", "slurm", "--engine", "simulator"});
    return more;
  }
  std::string queue() const { return cluster.ask({"/usr/bin/squeue", "-h", "-o", "%i %T"}); }
  bool is_at_work() const {
    return comes([&] { return fs::exists(out / "slurm/machine"); });
  }
  void expect_nothing_there() const {
    EXPECT_EQ(queue(), "");
    EXPECT_FALSE(fs::exists(out / "slurm"));
  }

  SlurmCluster cluster;
};

TEST_F(SlurmGradeLong, both_machines_make_one_grade) {
  const Child child = run(on_slurm());
  EXPECT_EQ(child.status, 1) << child.output;
  const auto places = places_of(grade());
  EXPECT_THAT(places.at("correct"), testing::StartsWith("slurm:"));
  EXPECT_EQ(places.at("clean"), "");
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, who_waits_in_the_queue_reads_why) {
  cluster.ask({"/usr/bin/sbatch", "--exclusive", "--output=/dev/null", "--wrap=sleep 600"});
  ASSERT_TRUE(comes([&] { return queue() == "1 RUNNING\n"; }));
  begin(on_slurm());
  ASSERT_TRUE(comes([&] { return queue().find("2 PENDING") != std::string::npos; }));
  // Long enough for a look at the queue.
  std::this_thread::sleep_for(std::chrono::seconds(5));
  cluster.ask({"/usr/bin/scancel", "1"});
  const Child child = end();
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("slurm: waiting in the queue (job 2, PENDING: Resources)"));
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, a_cancelled_job_leaves_this_machines_grade_with_the_reason) {
  write_sleeper();
  begin(on_slurm());
  ASSERT_TRUE(is_at_work());
  cluster.ask({"/usr/bin/scancel", "1"});
  const Child child = end();
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("slurm job 1"));
  EXPECT_THAT(child.output, HasSubstr("was cancelled"));
  EXPECT_EQ(places_of(grade()).at("correct"), "");
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, the_job_of_a_killed_client_is_found_again) {
  write_sleeper();
  begin(on_slurm());
  ASSERT_TRUE(is_at_work());
  send(SIGKILL);
  end();
  EXPECT_EQ(queue(), "1 RUNNING\n");
  const Child child = run(on_slurm());
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("job 1 of an earlier run is found again"));
  EXPECT_THAT(places_of(grade()).at("correct"), testing::StartsWith("slurm:"));
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, other_work_ends_the_job_of_a_killed_client) {
  write_sleeper();
  begin(on_slurm());
  ASSERT_TRUE(is_at_work());
  send(SIGKILL);
  end();
  write_version("// nothing\n");
  const Child child = run(on_slurm());
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, Not(HasSubstr("found again")));
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, an_interrupt_leaves_nothing_there) {
  write_sleeper();
  begin(on_slurm());
  ASSERT_TRUE(is_at_work());
  send(SIGINT);
  EXPECT_EQ(end().status, 130);
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, a_refusal_is_said_in_slurms_words) {
  const Child child = run(on_slurm({"--slurm-options", "--partition=nowhere"}));
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("--on slurm: rejected the job"), HasSubstr("partition")));
  expect_nothing_there();
}

TEST_F(SlurmGradeLong, a_node_without_a_usable_gpu_leaves_the_grade_here) {
  const Child child = run({"--on", "slurm"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("has no usable GPU: "));
  EXPECT_EQ(places_of(grade()).at("correct"), "");
  expect_nothing_there();
}

}  // namespace
}  // namespace warpmark
