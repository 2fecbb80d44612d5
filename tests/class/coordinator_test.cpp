// The queue of a class with a grader that is a script: it says which GPU it was given and copies a grade.
#include "harness/class/run/coordinator.h"

#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CoordinatorTest : public testing::Test {
 protected:
  CoordinatorTest() {
    for (const char* name : {"ada", "ben", "cem", "dia"}) {
      fs::create_directories(out / "submissions" / name);
      Taken taken;
      taken.id = taken.content = name;
      taken_class.students.push_back(std::move(taken));
    }
    taken_class.assignment = "warmup";
    options.program = folder.path() / "grader";
    options.jobs = 1;
    Grade grade;
    grade.assignment = "warmup";
    grade.engines = {{Engine::simulator, "Warpmark simulator", "clang", 0}};
    write("without_gpu.json", to_json(grade));
    grade.engines.push_back({Engine::gpu, "NVIDIA H200", "nvcc", 0});
    write("good.json", to_json(grade));
    CheckResult check;
    check.id = "warmup.w01.correct";
    check.version = "w01";
    check.check = "correct";
    check.verdict = Verdict::failed;
    check.causes.emplace_back().kind = CauseKind::cuda_error;
    grade.checks.push_back(check);
    write("cuda_error.json", to_json(grade));
    grader("good.json");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  // $1 grade, $2 ./id, --out is the 10th.
  void grader(const std::string& grade, const std::string& then = "") const {
    const std::string home = folder.path().string();
    std::string script = "#!/bin/sh\n";
    script += "echo \"$2 ${CUDA_VISIBLE_DEVICES-none}\" >>" + home + "/asked\n";
    script += "while [ \"$1\" != --out ]; do shift; done\n";
    script += "cp " + home + "/" + grade + " \"$2/grade.json\"\n" + then + "\n";
    write("grader", script);
    fs::permissions(folder.path() / "grader", fs::perms(0700));
  }
  std::vector<std::string> asked() const {
    std::ifstream file(folder.path() / "asked");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  // Whether all was done; what the journal has then is in `outcomes`.
  bool grade(std::size_t gpus, const GpuWatch& watch) {
    Home home = std::move(open_home(out).value());
    Rules rules;
    rules.digest = "r";
    rules.gpus = gpus;
    Coordinator coordinator({}, options, home, taken_class, rules, Shelf::current, watch);
    ProgressFigures figures;
    const bool done = coordinator.grade(coordinator.plan().value(), {}, figures);
    trouble = coordinator.trouble();
    outcomes = home.journal.outcomes(Shelf::current);
    return done;
  }

  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  ClassOptions options;
  TakenClass taken_class;
  std::map<std::string, Outcome> outcomes;
  std::string trouble;
  const GpuWatch all_there = [] { return std::string(); };
};

TEST(GradingsAtATime, are_as_many_as_keep_the_cores_busy_where_a_gpu_measures) {
  EXPECT_EQ(gradings_at_a_time(16, 0, 22), 16U);  // without a GPU nobody waits for anybody
  EXPECT_EQ(gradings_at_a_time(16, 1, 22), 4U);
  EXPECT_EQ(gradings_at_a_time(8, 1, 40), 3U);
  EXPECT_EQ(gradings_at_a_time(16, 1, 2), 16U);
  EXPECT_EQ(gradings_at_a_time(16, 4, 22), 12U);
  EXPECT_EQ(gradings_at_a_time(2, 1, 22), 2U);
}

TEST_F(CoordinatorTest, spreads_students_over_all_gpus) {
  options.jobs = 4;
  grader("good.json", "sleep 1");  // so that all four are under way at a time
  EXPECT_TRUE(grade(4, all_there));
  std::set<std::string> devices;
  for (const std::string& line : asked()) devices.insert(line.substr(line.find(' ') + 1));
  EXPECT_EQ(devices, (std::set<std::string>{"0", "1", "2", "3"}));
}

TEST_F(CoordinatorTest, names_no_gpu_where_there_is_none) {
  grader("without_gpu.json");
  EXPECT_TRUE(grade(0, all_there));
  for (const std::string& line : asked()) EXPECT_THAT(line, HasSubstr("none"));
  EXPECT_EQ(outcomes.at("ada").state, StudentState::graded);
}

TEST_F(CoordinatorTest, stops_when_a_gpu_is_lost_and_takes_no_points) {
  ASSERT_TRUE(grade(1, all_there));
  taken_class.students[1].content = "changed";
  taken_class.students[2].content = "changed";
  grader("cuda_error.json");
  EXPECT_FALSE(grade(1, [] { return std::string("no CUDA device"); }));
  EXPECT_EQ(trouble, "no CUDA device");
  EXPECT_EQ(outcomes.at("ada").state, StudentState::graded);  // kept
  EXPECT_EQ(outcomes.at("ben").state, StudentState::broken);
  EXPECT_THAT(outcomes.at("ben").cause->message, HasSubstr("a GPU was lost"));
  EXPECT_EQ(outcomes.at("cem").content, "cem");  // was not begun
  // And goes on when it is back.
  grader("good.json");
  EXPECT_TRUE(grade(1, all_there));
  EXPECT_EQ(outcomes.at("ben").state, StudentState::graded);
  EXPECT_EQ(outcomes.at("cem").content, "changed");
}

TEST_F(CoordinatorTest, keeps_a_students_own_cuda_error_while_the_gpu_is_there) {
  grader("cuda_error.json");
  EXPECT_TRUE(grade(1, all_there));
  EXPECT_EQ(outcomes.at("ada").state, StudentState::graded);
}

TEST_F(CoordinatorTest, does_not_count_a_grade_that_fell_back_on_the_simulator) {
  grader("without_gpu.json");
  EXPECT_TRUE(grade(1, all_there));
  EXPECT_EQ(outcomes.at("ada").state, StudentState::broken);
}

TEST_F(CoordinatorTest, tries_once_more_what_was_noise) {
  grader("good.json", "exit 3");
  EXPECT_TRUE(grade(1, all_there));
  EXPECT_THAT(asked(), SizeIs(8));
  EXPECT_FALSE(outcomes.at("ada").again);
  EXPECT_TRUE(grade(1, all_there));
  EXPECT_THAT(asked(), SizeIs(8));  // and not a third time
}

}  // namespace
}  // namespace warpmark::classroom
