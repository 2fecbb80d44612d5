// What becomes of the two parts of a grade that two machines made.
#include "harness/judge/joined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

using enum CauseKind;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kVersion = "v1";
constexpr double kWorth = 2;

CheckResult check_of(const std::string& check, Engine engine, std::vector<Cause> causes = {}) {
  CheckResult result;
  result.version = check == "upload_once" ? "" : kVersion;
  result.check = check;
  result.id = "a." + result.version + "." + check;
  result.engine = engine;
  result.possible = kWorth;
  result.causes = std::move(causes);
  return result;
}

Cause seen(CauseKind kind, int line = 0) {
  Cause cause = make_cause(kind, "what was seen", "v1.cu");
  cause.line = line;
  return cause;
}

// The grade of a machine on the simulator, and the part of one with a GPU; all has passed.
class Joined : public testing::Test {
 protected:
  Joined() {
    here.assignment = there.assignment = "a";
    here.submission_hash = there.submission_hash = "1";
    here.engines = {{Engine::simulator, "simulator", "clang", 0}};
    there.engines = {{Engine::gpu, "H100", "nvcc", 0}};
    for (const char* check : {"builds", "correct", "clean", "work"})
      here.checks.push_back(check_of(check, Engine::simulator));
    here.checks.push_back(check_of("fast", Engine::gpu, {make_cause(no_gpu, "no CUDA device")}));
    here.checks.push_back(check_of("upload_once", Engine::simulator));
    for (const char* check : {"builds", "correct", "fast", "upload_once"})
      there.checks.push_back(check_of(check, Engine::gpu));
    Measurement measured;
    measured.version = kVersion;
    there.measurements = {measured};
    rubric.assignment = "a";
    options.on = "ssh:gpu01";
    options.submission = "mine";
  }
  static CheckResult& at(Grade& grade, const std::string& check) {
    return *std::ranges::find(grade.checks, check, &CheckResult::check);
  }
  Grade result() {
    auto grade = joined(here, {there, "ssh:gpu01"}, rubric, options);
    EXPECT_TRUE(grade) << grade.error().message;
    return std::move(*grade);
  }

  Grade here;
  Grade there;
  Rubric rubric;
  GradeOptions options;
};

TEST_F(Joined, each_check_says_where_it_ran) {
  Grade grade = result();
  EXPECT_EQ(grade.score.points, 12);
  EXPECT_EQ(grade.score.open, 0);
  EXPECT_EQ(grade.exit_status, 0);
  for (const char* check : {"builds", "correct", "fast", "upload_once"}) {
    EXPECT_EQ(at(grade, check).where, "ssh:gpu01") << check;
    EXPECT_EQ(at(grade, check).engine, Engine::gpu) << check;
  }
  for (const char* check : {"clean", "work"}) EXPECT_EQ(at(grade, check).where, "") << check;
  ASSERT_THAT(grade.engines, SizeIs(2));
  EXPECT_EQ(grade.engines[0].where, "ssh:gpu01");
  EXPECT_EQ(grade.engines[1].where, "");
  EXPECT_THAT(grade.measurements, SizeIs(1));
}

TEST_F(Joined, what_the_simulator_sees_in_right_calls_fails_correct_and_stops_fast) {
  at(here, "correct").causes = {seen(race, 7)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "correct").verdict, Verdict::failed);
  EXPECT_THAT(at(grade, "correct").causes.front().message, HasSubstr("the GPU's answers are right"));
  for (const char* check : {"work", "fast"})
    EXPECT_EQ(at(grade, check).causes.front().kind, depends) << check;
  EXPECT_THAT(grade.measurements, SizeIs(0));
  EXPECT_EQ(grade.exit_status, 1);
}

TEST_F(Joined, what_the_simulator_blames_comes_before_a_failure_on_the_gpu_and_gives_it_its_line) {
  at(here, "correct").causes = {seen(race, 7)};
  at(there, "correct").causes = {seen(wrong_sum)};
  at(there, "correct").causes.front().again = "a command of the other machine";
  Grade grade = result();
  const auto& causes = at(grade, "correct").causes;
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].kind, race);
  EXPECT_THAT(causes[0].message, HasSubstr("seen on the simulator: "));
  const Cause& cause = causes[1];
  EXPECT_EQ(cause.kind, wrong_sum);
  EXPECT_EQ(cause.line, 7);
  EXPECT_THAT(cause.again, AllOf(HasSubstr("grade mine"), HasSubstr("--on ssh:gpu01")));
}

TEST_F(Joined, what_only_the_simulator_cannot_build_stays_open) {
  at(here, "builds").causes = {seen(compile_error)};
  for (const char* check : {"correct", "clean", "work"}) at(here, check).causes = {seen(depends)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "builds").verdict, Verdict::passed);
  EXPECT_EQ(at(grade, "correct").verdict, Verdict::passed);
  for (const char* check : {"clean", "work"}) {
    EXPECT_EQ(at(grade, check).causes.front().kind, unsupported) << check;
    EXPECT_THAT(at(grade, check).causes.front().message, HasSubstr("that nvcc accepts"));
    EXPECT_EQ(at(grade, check).open, kWorth);
  }
}

TEST_F(Joined, what_no_compiler_takes_is_told_by_the_simulators) {
  at(here, "builds").causes = {seen(compile_error, 12)};
  at(there, "builds").causes = {seen(compile_error, 13)};
  Grade grade = result();
  ASSERT_THAT(at(grade, "builds").causes, SizeIs(1));
  EXPECT_EQ(at(grade, "builds").causes.front().line, 12);
}

TEST_F(Joined, an_upload_that_fails_on_the_gpu_gets_the_simulators_cause_first) {
  at(here, "upload_once").causes = {seen(bad_copy, 5)};
  at(there, "upload_once").causes = {seen(not_uploaded)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "upload_once").causes.front().kind, bad_copy);
  EXPECT_THAT(at(grade, "upload_once").causes, SizeIs(2));
}

TEST_F(Joined, what_clean_finds_explains_a_failure_that_the_gpu_alone_shows) {
  at(here, "clean").causes = {seen(race, 7)};
  at(there, "correct").causes = {seen(wrong_sum)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "correct").causes.front().kind, race);
}

TEST_F(Joined, what_only_nvcc_cannot_build_fails) {
  at(there, "builds").causes = {seen(compile_error)};
  for (const char* check : {"correct", "fast"}) at(there, check).causes = {seen(depends)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "builds").verdict, Verdict::failed);
  for (const char* check : {"correct", "clean", "work", "fast"})
    EXPECT_EQ(at(grade, check).causes.front().kind, depends) << check;
  EXPECT_EQ(grade.score.points, 0);
}

TEST_F(Joined, an_upload_that_the_simulator_sees_twice_fails) {
  at(here, "upload_once").causes = {seen(uploaded_again)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "upload_once").verdict, Verdict::failed);
  EXPECT_THAT(at(grade, "upload_once").causes.front().message, HasSubstr("seen on the simulator: "));
}

TEST_F(Joined, a_version_that_the_simulator_cannot_run_is_listed_as_judged_by_the_gpu_alone) {
  at(here, "correct").causes = {seen(unsupported)};
  Grade grade = result();
  EXPECT_EQ(at(grade, "correct").verdict, Verdict::passed);
  ASSERT_THAT(grade.unwatched, SizeIs(1));
  EXPECT_EQ(grade.unwatched.front().version, kVersion);
}

TEST_F(Joined, without_a_gpu_there_the_grade_is_this_machines) {
  there.engines.clear();
  for (CheckResult& check : there.checks) check.causes = {make_cause(no_gpu, "no driver is loaded")};
  Grade grade = result();
  EXPECT_EQ(at(grade, "correct").where, "");
  EXPECT_EQ(at(grade, "correct").engine, Engine::simulator);
  EXPECT_EQ(at(grade, "fast").causes.front().message, "ssh:gpu01: no driver is loaded");
  EXPECT_EQ(grade.score.needs_gpu, kWorth);
  EXPECT_EQ(grade.exit_status, 0);
}

TEST_F(Joined, points_that_depend_on_each_other_are_settled_once) {
  here.checks.front().notes = {make_cause(same_code, "as v0")};
  at(here, "clean").notes = {make_cause(depends, "from the first settling")};
  rubric.same_code_keeps_percent = 50;
  Grade grade = result();
  EXPECT_EQ(at(grade, "builds").points, kWorth / 2);
  EXPECT_THAT(at(grade, "clean").notes, SizeIs(0));
}

TEST_F(Joined, parts_of_other_files_or_versions_are_refused) {
  there.submission_hash = "2";
  EXPECT_THAT(joined(here, {there, "ssh:gpu01"}, rubric, options).error().message,
              HasSubstr("the folder changed meanwhile"));
  there.submission_hash = "1";
  there.tool_version = "0.1";
  EXPECT_THAT(joined(here, {there, "ssh:gpu01"}, rubric, options).error().message,
              HasSubstr("install the same version"));
}

TEST_F(Joined, a_machine_that_failed_breaks_what_needs_it) {
  const Grade grade = without_gpu_part(here, make_cause(internal, "job 12 was cancelled"), rubric);
  Grade changed = grade;
  EXPECT_EQ(at(changed, "fast").verdict, Verdict::broken);
  EXPECT_EQ(at(changed, "correct").verdict, Verdict::passed);
  EXPECT_EQ(grade.exit_status, 3);
  EXPECT_THAT(grade.remarks, ElementsAre("job 12 was cancelled"));
}

TEST(GpuPart, holds_what_a_gpu_decides) {
  Rubric rubric;
  rubric.assignment = "a";
  VersionRule on_gpu;
  on_gpu.name = "v1";
  on_gpu.checks = {Check::builds, Check::clean, Check::work};
  VersionRule on_host;
  on_host.name = "c1";
  on_host.host = true;
  on_host.checks = {Check::correct};
  rubric.versions = {on_gpu, on_host};
  const Rubric part = gpu_part_of(rubric);
  ASSERT_THAT(part.versions, SizeIs(1));
  EXPECT_THAT(part.versions.front().checks, ElementsAre(Check::builds));
  GradeOptions options;
  EXPECT_TRUE(has_gpu_part(rubric, options));
  options.only = "*.clean";
  EXPECT_FALSE(has_gpu_part(rubric, options));
}

}  // namespace
}  // namespace warpmark::judge
