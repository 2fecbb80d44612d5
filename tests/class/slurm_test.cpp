// `warpmark class --on slurm` on a real cluster of one node, which the test starts.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/grade.h"
#include "tests/class/class_fixture.h"
#include "tests/home.h"
#include "tests/remote/slurm_cluster.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class SlurmLong : public ClassCommand {
 protected:
  void start_cluster(const std::string& more = "") {
    const auto started = cluster.start(folder.path() / "cluster", more);
    if (started) return;
    if (started.error().message.find("slurmd runs as root") == 0 ||
        started.error().message.find("is missing") != std::string::npos) {
      GTEST_SKIP() << started.error().message;
    }
    FAIL() << started.error().message;
  }
  Child on_cluster(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {WARPMARK_CLI, "class", "--trust-submissions", "--out", out.string()});
    auto environment = cluster.environment();
    environment["HOME"] = (folder.path() / "home").string();
    return run_child(arguments, environment, folder.path());
  }
  Child grade_on_slurm(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {input.string(), "--engine", "simulator", "--seed", "7", "--on", "slurm"});
    return on_cluster(std::move(more));
  }
  // One whose first version, where it is called, waits for as long as it is let.
  void add_sleeper(const std::string& name) const {
    add_student(name);
    write(input / name / "w01_thread_per_element.cu",
          "#include <unistd.h>\n#include \"warmup.h\"\n"
          "__global__ void k(value_t* values) { values[0] = 1; }\n"
          "extern \"C\" void w01_thread_per_element(value_t* values, std::size_t, value_t, cudaStream_t "
          "stream) {\n"
          "  sleep(600);\n  k<<<1, 1, 0, stream>>>(values);\n}\n");
  }
  // With which a call that never ends costs three seconds.
  std::string impatient_rubric() const {
    const fs::path file = folder.path() / "impatient.toml";
    write(file, with_limits(read_file(root / "harness/assignments/warmup/assignment.toml").value(),
                            "call_seconds = 3\nsubmission_seconds = 5\n"));
    return file.string();
  }
  static bool comes(const auto& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 3min;
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::sleep_for(50ms);
    }
    return true;
  }
  bool queue_empties() const {
    return comes([&] { return cluster.ask({"/usr/bin/squeue", "-h"}).empty(); });
  }
  // The task of a student has begun to grade, and has not ended.
  bool is_at_work_on(const std::string& id) const {
    return comes([&] { return fs::exists(out / "slurm/work" / id); });
  }
  bool has_result(const std::string& id) const {
    return comes([&] { return fs::exists(out / "slurm/results" / id / "outcome.json"); });
  }

  SlurmCluster cluster;
};

#define START_CLUSTER(...)    \
  start_cluster(__VA_ARGS__); \
  if (IsSkipped() || HasFatalFailure()) return

TEST_F(SlurmLong, grades_as_this_machine_would) {
  START_CLUSTER("MaxArraySize=3");  // so that two tasks share five students
  for (const char* name : {"ada", "ben", "cem", "dia", "eva"}) add_student(name, name);
  write(input / "nobody/notes.txt", "no version here");
  const Child child = grade_on_slurm();
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("(2 tasks)"), HasSubstr("5 graded"), HasSubstr("look at nobody")));
  const auto spread = students();
  const fs::path other = folder.path() / "local";
  ASSERT_EQ(run({"class", input.string(), "--engine", "simulator", "--trust-submissions", "--seed", "7",
                 "--out", other.string()})
                .status,
            1);
  const auto local = class_from_json(read_file(other / "class.json").value());
  ASSERT_TRUE(local);
  for (const StudentResult& student : local->students) {
    EXPECT_EQ(spread.at(student.id).state, student.state) << student.id;
    EXPECT_EQ(spread.at(student.id).points, student.points) << student.id;
    EXPECT_TRUE(fs::exists(out / "students" / student.id / "index.html"));
  }
  // Nothing is graded again that has not changed.
  const Child again = grade_on_slurm();
  EXPECT_EQ(again.status, 1);
  EXPECT_THAT(again.output, Not(HasSubstr("Slurm grades")));
}

TEST_F(SlurmLong, a_regrade_shows_what_would_change_before_it_changes) {
  START_CLUSTER();
  add_student("anna");
  ASSERT_EQ(grade_on_slurm().status, 1);
  std::string rubric = read_file(root / "harness/assignments/warmup/assignment.toml").value();
  rubric.replace(rubric.find("builds = 2"), 10, "builds = 5");
  write(folder.path() / "changed.toml", rubric);
  const Child shown = on_cluster({"--regrade", "--rubric", (folder.path() / "changed.toml").string()});
  EXPECT_THAT(shown.output, AllOf(HasSubstr("Slurm grades"), HasSubstr("would change 1 students")));
  EXPECT_EQ(students().at("anna").possible, 20);
  EXPECT_EQ(on_cluster({"--regrade", "--apply"}).status, 1);
  EXPECT_EQ(students().at("anna").possible, 26);
}

TEST_F(SlurmLong, a_cancelled_class_keeps_what_is_graded_and_goes_on) {
  START_CLUSTER();
  add_student("anna");
  add_sleeper("zoe");
  const Child submitted = grade_on_slurm({"--no-wait", "--jobs", "2", "--rubric", impatient_rubric()});
  ASSERT_EQ(submitted.status, 0) << submitted.output;
  EXPECT_THAT(submitted.output, HasSubstr("scancel"));
  ASSERT_TRUE(has_result("anna") && is_at_work_on("zoe"));
  // Meanwhile nobody else begins.
  const Child busy = on_cluster({"--resume"});
  EXPECT_EQ(busy.status, 2);
  EXPECT_THAT(busy.output, HasSubstr("is being graded by Slurm"));

  cluster.ask({"/usr/bin/scancel", "--user=root"});  // the import's job, too
  ASSERT_TRUE(queue_empties());
  const Child resumed = on_cluster({"--resume"});
  EXPECT_EQ(resumed.status, 1) << resumed.output;
  EXPECT_THAT(resumed.output, HasSubstr("(1 tasks)"));  // anna's grade was taken over
  EXPECT_EQ(students().at("anna").state, StudentState::graded);
  EXPECT_EQ(students().at("zoe").state, StudentState::graded);
}

TEST_F(SlurmLong, a_task_that_is_cancelled_or_killed_is_broken_with_the_reason) {
  START_CLUSTER();
  add_student("anna");
  add_sleeper("ben");
  add_sleeper("cem");
  ASSERT_EQ(grade_on_slurm({"--no-wait"}).status, 0);
  ASSERT_TRUE(is_at_work_on("ben"));
  const std::string job = cluster.ask({"/usr/bin/squeue", "-h", "-o", "%F"}).substr(0, 1);
  cluster.ask({"/usr/bin/scancel", job + "_2"});
  ASSERT_TRUE(is_at_work_on("cem"));
  cluster.ask({"/usr/bin/scancel", "--signal=KILL", "--batch", job + "_3"});
  ASSERT_TRUE(queue_empties());
  const auto all = students();
  EXPECT_EQ(all.at("anna").state, StudentState::graded);
  for (const auto& [id, why] : {std::pair{"ben", "was cancelled"}, {"cem", "signal 9"}}) {
    EXPECT_EQ(all.at(id).state, StudentState::broken);
    EXPECT_THAT(all.at(id).cause->message, AllOf(HasSubstr(why), HasSubstr("--resume")));
    EXPECT_THAT(read_file(out / "students" / id / "index.html").value(), HasSubstr(why));
  }
  EXPECT_EQ(result().exit_status, 3);
}

TEST_F(SlurmLong, a_node_that_dies_costs_its_students_a_second_run) {
  START_CLUSTER();
  add_student("anna");
  add_sleeper("zoe");
  ASSERT_EQ(
      grade_on_slurm({"--no-wait", "--slurm-options", "--no-requeue", "--rubric", impatient_rubric()}).status,
      0);
  ASSERT_TRUE(has_result("anna") && is_at_work_on("zoe"));
  cluster.lose_node();
  const auto back = cluster.start_node();
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_TRUE(queue_empties());
  auto all = students();
  EXPECT_EQ(all.at("anna").state, StudentState::graded);
  ASSERT_EQ(all.at("zoe").state, StudentState::broken);
  EXPECT_THAT(all.at("zoe").cause->message, HasSubstr("its node failed"));
  const Child resumed = on_cluster({"--resume"});
  EXPECT_EQ(resumed.status, 1) << resumed.output;
  EXPECT_EQ(students().at("zoe").state, StudentState::graded);
}

TEST_F(SlurmLong, a_task_starts_again_by_itself_when_its_node_comes_back) {
  START_CLUSTER();
  add_sleeper("zoe");
  ASSERT_EQ(grade_on_slurm({"--no-wait", "--rubric", impatient_rubric()}).status, 0);
  ASSERT_TRUE(is_at_work_on("zoe"));
  cluster.lose_node();
  const auto back = cluster.start_node();
  ASSERT_TRUE(back) << back.error().message;
  // Slurm lets two minutes pass before it starts such a job again: what it still has to end on the node has
  // to be over.
  cluster.ask({"/usr/bin/scontrol", "update", "job=1", "starttime=now+15"});
  ASSERT_TRUE(queue_empties());
  EXPECT_EQ(students().at("zoe").state, StudentState::graded) << students().at("zoe").cause->message;
}

TEST_F(SlurmLong, a_refusal_is_said_in_slurms_words_and_leaves_nothing_queued) {
  START_CLUSTER();
  add_student("anna");
  const Child child = grade_on_slurm({"--slurm-options", "--partition=nowhere"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("Slurm rejected the class"), HasSubstr("partition"), HasSubstr("--resume")));
  EXPECT_EQ(cluster.ask({"/usr/bin/squeue", "-h"}), "");
  const Child again = on_cluster({"--resume", "--slurm-options", "--partition=main"});
  EXPECT_EQ(again.status, 1) << again.output;
  EXPECT_EQ(students().at("anna").state, StudentState::graded);
}

TEST_F(SlurmLong, a_full_queue_is_said_and_the_class_waits_for_resume) {
  START_CLUSTER("MaxJobCount=2");
  for (const char* name : {"ada", "ben", "cem"}) add_student(name, name);
  const Child child = grade_on_slurm();
  EXPECT_EQ(child.status, 2) << child.output;
  EXPECT_THAT(child.output, HasSubstr("Slurm rejected the class"));
  ASSERT_TRUE(queue_empties());
  const Child here = on_cluster({"--resume", "--on", "local"});
  EXPECT_EQ(here.status, 1) << here.output;
  EXPECT_THAT(here.output, HasSubstr("3 graded"));
}

TEST_F(SlurmLong, a_job_that_wants_a_gpu_and_gets_none_says_so) {
  START_CLUSTER();
  add_student("anna");
  const Child child = on_cluster({input.string(), "--on", "slurm"});
  EXPECT_EQ(child.status, 3) << child.output;
  ASSERT_EQ(students().at("anna").state, StudentState::broken);
  EXPECT_THAT(students().at("anna").cause->message, HasSubstr("node "));
}

TEST_F(ClassCommand, on_slurm_without_slurm_says_what_is_missing) {
  add_student("anna");
  const Child child =
      run_child({WARPMARK_CLI, "class", input.string(), "--on", "slurm", "--out", out.string()},
                {{"PATH", "/nowhere"}}, folder.path());
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("sbatch is not on PATH"), HasSubstr("--on local")));
  const Child words = run({"class", input.string(), "--on", "slurm", "--slurm-options", "-p gpu"});
  EXPECT_EQ(words.status, 2);
  EXPECT_THAT(words.output, HasSubstr("--name=value"));
}

// Slurm's commands as scripts, for what a healthy cluster does not do.
class SlurmScripts : public ClassCommand {
 protected:
  void script(const std::string& name, const std::string& text) const {
    write(folder.path() / "bin" / name, "#!/bin/sh\n" + text + "\n");
    fs::permissions(folder.path() / "bin" / name, fs::perms(0755));
  }
  Child grade_on_scripts(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(),
                     {WARPMARK_CLI, "class", "--trust-submissions", "--out", out.string()});
    return run_child(arguments, {{"PATH", (folder.path() / "bin").string() + ":/usr/bin:/bin"}},
                     folder.path());
  }
};

TEST_F(SlurmScripts, when_the_import_is_refused_the_array_is_cancelled) {
  add_student("anna");
  script("scontrol", "true");
  script("squeue", "true");
  script("scancel", "echo \"$@\" >>'" + (folder.path() / "cancelled").string() + "'");
  script("sbatch", "case \"$*\" in *--array*) echo 12;; *) echo 'sbatch: error: limit' >&2; exit 1;; esac");
  const Child child =
      grade_on_scripts({input.string(), "--engine", "simulator", "--on", "slurm", "--no-wait"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("sbatch: error: limit"));
  EXPECT_THAT(read_file(folder.path() / "cancelled").value_or(""), HasSubstr("--name=warpmark-"));
}

TEST_F(SlurmScripts, students_who_were_graded_on_another_kind_of_node_are_listed) {
  for (const char* name : {"anna", "ben"}) add_student(name, name);
  script("scontrol", "true");
  script("squeue", "true");
  script("scancel", "true");
  script("sbatch", "echo 12");
  ASSERT_EQ(grade_on_scripts({input.string(), "--engine", "simulator", "--on", "slurm", "--no-wait"}).status,
            0);
  for (const char* task : {"1", "2"}) EXPECT_EQ(grade_on_scripts({"--slurm-task", task}).status, 0);
  const fs::path file = out / "slurm/results/ben/outcome.json";
  auto outcome = nlohmann::json::parse(read_file(file).value());
  outcome["machine"] = "NVIDIA A100";
  write(file, outcome.dump());
  const Child child = grade_on_scripts({"--slurm-import"});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_THAT(child.output,
              AllOf(HasSubstr("look at ben: was graded on NVIDIA A100"), Not(HasSubstr("look at anna"))));
}

TEST_F(SlurmScripts, who_waits_may_stop_and_the_jobs_go_on) {
  add_student("anna");
  script("scontrol", "true");
  script("squeue", "echo '12|RUNNING'");
  script("scancel", "touch '" + (folder.path() / "cancelled").string() + "'");
  script("sbatch", "echo 12");
  const Child child = run_child(
      {"/usr/bin/timeout", "--preserve-status", "--signal=INT", "3", WARPMARK_CLI, "class", input.string(),
       "--engine", "simulator", "--trust-submissions", "--on", "slurm", "--out", out.string()},
      {{"PATH", (folder.path() / "bin").string() + ":/usr/bin:/bin"}}, folder.path());
  EXPECT_EQ(child.status, 130) << child.output;
  EXPECT_THAT(child.output, HasSubstr("the jobs continue"));
  EXPECT_FALSE(fs::exists(folder.path() / "cancelled"));
}

TEST_F(SlurmScripts, a_controller_that_does_not_answer_lets_nobody_grade_twice) {
  add_student("anna");
  script("scontrol", "true");
  script("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
  script("scancel", "true");
  script("sbatch", "echo 12");
  ASSERT_EQ(grade_on_scripts({input.string(), "--engine", "simulator", "--on", "slurm", "--no-wait"}).status,
            0);
  const Child child = grade_on_scripts({"--resume", "--on", "local"});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, HasSubstr("Unable to contact slurm controller"));
  script("squeue", "true");  // the job is over, and has left nothing
  EXPECT_EQ(grade_on_scripts({"--resume", "--on", "local"}).status, 1);
  EXPECT_EQ(students().at("anna").state, StudentState::graded);
}

}  // namespace
}  // namespace warpmark
