// `warpmark grade --on ssh:HOST` over a real sshd, which the test starts.
#include "tests/remote/elsewhere_fixture.h"
#include "tests/remote/processes.h"
#include "tests/remote/ssh_host.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

class SshGrade : public Elsewhere {
 protected:
  void SetUp() override {
    const auto started = host.start(folder.path() / "host");
    if (started) return;
    if (started.error().message.find("is missing") != std::string::npos)
      GTEST_SKIP() << started.error().message;
    FAIL() << started.error().message;
  }
  std::vector<std::string> there(std::vector<std::string> more = {}, const std::string& engine = "simulator",
                                 const std::string& program = WARPMARK_CLI) const {
    more.insert(more.begin(), {"--on", "ssh:there", "--ssh-config", host.configuration(), "--on-program",
                               program, "--engine", engine});
    return more;
  }
  // A program that is Warpmark there, as a script.
  std::string fake_program(const std::string& text) const {
    const fs::path file = folder.path() / "fake warpmark";
    std::ofstream(file) << "#!/bin/sh\n" + text + "\n";
    fs::permissions(file, fs::perms(0755));
    return file.string();
  }
  [[nodiscard]] std::vector<std::string> folders_there() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(host.temporary()))
      found.push_back(entry.path().filename().string());
    return found;
  }
  // The command there has begun.
  [[nodiscard]] bool is_at_work() const {
    return comes([&] {
      return std::ranges::any_of(fs::directory_iterator(host.temporary()),
                                 [](const auto& each) { return fs::exists(each.path() / "machine"); });
    });
  }
  void expect_nothing_there() const {
    EXPECT_THAT(folders_there(), IsEmpty());
    EXPECT_THAT(host.processes(), IsEmpty());
  }

  SshHost host;
};

TEST_F(SshGrade, an_own_assignment_is_graded_by_both_machines_as_by_one) {
  const fs::path own = folder.path() / "own";
  fs::copy(root / "harness/assignments/warmup", own, fs::copy_options::recursive);
  fs::copy(root / "reference/warmup", own / "reference", fs::copy_options::recursive);
  fs::copy(root / "student_template/warmup", own / "stubs", fs::copy_options::recursive);
  const Child child = run(there({"--assignment", own.string(), "--seed", "7", "--verbose"}));
  EXPECT_EQ(child.status, 1) << child.output;  // for the version that is not written
  const Grade both = grade();
  EXPECT_THAT(places_of(both), ElementsAre(Pair("builds", "ssh:there"), Pair("clean", ""),
                                           Pair("correct", "ssh:there"), Pair("work", "")));
  EXPECT_EQ(against_schema(nlohmann::json::parse(read_file(out / "grade.json").value()), "grade"), "");
  EXPECT_THAT(read_file(out / "index.html").value(), HasSubstr("(on ssh:there)"));
  expect_nothing_there();

  run({"--assignment", own.string(), "--seed", "7", "--engine", "simulator"});
  const Grade one = grade();
  EXPECT_EQ(both.score.points, one.score.points);
  EXPECT_EQ(both.seed, one.seed);
  ASSERT_EQ(both.checks.size(), one.checks.size());
  for (std::size_t i = 0; i < both.checks.size(); ++i)
    EXPECT_EQ(both.checks[i].verdict, one.checks[i].verdict) << both.checks[i].id;
}

TEST_F(SshGrade, without_a_gpu_there_the_grade_stays_here_and_says_so) {
  const Child child = run(there({}, "auto"));
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("ssh:there has no usable GPU: "));
  EXPECT_EQ(places_of(grade()).at("correct"), "");
  expect_nothing_there();
  const Child asked = run(there({}, "gpu"));
  EXPECT_EQ(asked.status, 2);
  EXPECT_THAT(asked.output, HasSubstr("--engine gpu: ssh:there: "));
}

TEST_F(SshGrade, a_host_that_cannot_be_used_is_refused_with_the_remedy) {
  const Child absent = run(there({}, "simulator", "/nowhere/warpmark"));
  EXPECT_EQ(absent.status, 2);
  EXPECT_THAT(absent.output,
              AllOf(HasSubstr("has no Warpmark: `/nowhere/warpmark`"), HasSubstr("--on-program PATH")));
  const Child other = run(there({}, "simulator", fake_program("echo 0.0.1")));
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.output, AllOf(HasSubstr("has Warpmark 0.0.1"), HasSubstr("the same version")));
  host.stop_listening();
  const Child unreachable = run(there());
  EXPECT_EQ(unreachable.status, 2);
  EXPECT_THAT(unreachable.output,
              AllOf(HasSubstr("cannot be reached"), HasSubstr("refused"), HasSubstr("`ssh there true`")));
  EXPECT_FALSE(fs::exists(out / "grade.json"));
  expect_nothing_there();
}

TEST_F(SshGrade, a_failure_there_leaves_this_machines_grade_with_the_reason) {
  const std::string program = fake_program("[ $1 = --version ] && echo " WARPMARK_VERSION
                                           " || { echo 'the disk is full' >&2; exit 7; }");
  const Child child = run(there({}, "auto", program));
  EXPECT_EQ(child.status, 3) << child.output;
  EXPECT_THAT(child.output, HasSubstr("left no grade (exit status 7); its last output: the disk is full"));
  EXPECT_EQ(places_of(grade()).at("correct"), "");
  expect_nothing_there();
}

TEST_F(SshGrade, a_cut_connection_is_taken_up_again) {
  write_sleeper();
  begin(there());
  ASSERT_TRUE(is_at_work());
  const auto before = folders_there();
  host.cut_connections();
  const Child child = end();
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, AllOf(HasSubstr("ssh:there: the connection is lost"),
                                  HasSubstr("ssh:there answers again"), Not(HasSubstr("starting again"))));
  EXPECT_EQ(places_of(grade()).at("correct"), "ssh:there");
  expect_nothing_there();
}

TEST_F(SshGrade, an_interrupt_leaves_nothing_there) {
  write_sleeper();
  begin(there());
  ASSERT_TRUE(is_at_work());
  EXPECT_THAT(host.processes(), Not(IsEmpty()));
  send(SIGINT);
  const Child child = end();
  EXPECT_EQ(child.status, 130) << child.output;
  EXPECT_THAT(child.output, HasSubstr("interrupted"));
  expect_nothing_there();
  EXPECT_FALSE(fs::exists(out / "grade.json"));
}

TEST_F(SshGrade, the_next_run_removes_what_a_machine_that_went_down_has_left) {
  for (const char* name : {"warpmark-there.dead", "warpmark-there.fresh"})
    fs::create_directories(host.temporary() / name / "submission");
  // No process has this number.
  std::ofstream(host.temporary() / "warpmark-there.dead/supervisor") << "4194305\n";
  const Child child = run(there({}, "simulator", fake_program("echo 0.0.1")));
  EXPECT_EQ(child.status, 2);
  // One without a supervisor may be about to get one.
  EXPECT_THAT(folders_there(), ElementsAre("warpmark-there.fresh"));
}

class SshGradeLong : public SshGrade {};

TEST_F(SshGradeLong, nothing_outlives_a_killed_client_by_more_than_its_lease) {
  write_sleeper();
  begin(there());
  ASSERT_TRUE(is_at_work());
  send(SIGKILL);
  EXPECT_TRUE(comes([&] { return folders_there().empty(); }));
  expect_nothing_there();
}

TEST_F(SshGradeLong, work_that_is_gone_is_started_again) {
  write_sleeper();
  begin(there());
  ASSERT_TRUE(is_at_work());
  // As if the machine had been restarted.
  for (const Proc& each : all_processes()) {
    if (each.command.find("there.sh supervise") != std::string::npos &&
        each.command.find(host.temporary().string()) != std::string::npos)
      kill(each.id, SIGKILL);
  }
  for (const std::string& name : folders_there()) fs::remove_all(host.temporary() / name);
  const Child child = end();
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output, HasSubstr("lost what it had begun; starting again"));
  EXPECT_EQ(places_of(grade()).at("correct"), "ssh:there");
  EXPECT_THAT(folders_there(), IsEmpty());
}

TEST_F(Elsewhere, bad_places_are_refused_before_anything_runs) {
  for (const char* place : {"ssh:", "ssh:-oProxyCommand=true", "lsf"}) {
    const Child child = run({"--on", place});
    EXPECT_EQ(child.status, 2);
    EXPECT_THAT(child.output, HasSubstr("write local, slurm or ssh:HOST")) << place;
  }
  const Child no_slurm = run_child(command({"--on", "slurm"}), {{"PATH", "/nowhere"}}, folder.path());
  EXPECT_THAT(no_slurm.output, HasSubstr("sbatch is not on PATH"));
  EXPECT_THAT(run({"--on", "ssh:there", "--only", "*.clean"}).output,
              HasSubstr("nothing that is selected needs a GPU"));
  EXPECT_THAT(run({"--on", "ssh:there", "--changed"}).output, HasSubstr("--changed"));
}

}  // namespace
}  // namespace warpmark
