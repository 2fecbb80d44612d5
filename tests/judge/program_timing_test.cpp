// The check `fast` of whole programs: scripts that say on their standard error how long they took.
#include "harness/judge/programs/program_timing.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/programs/program_build.h"
#include "tests/judge/fake_installation.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ProgramSpeeds : public testing::Test {
 protected:
  ProgramSpeeds() {
    one.name = "large";
    one.kernels = 0;
    one.outputs = {{}};
    spec.cases = {one};
    rule.name = "p";
    rule.sources = {"p.cpp"};
    rule.steps = {{4, 8}};
  }

  // Each run of the program adds its name to the file `log`; `$runs` is the number of its earlier runs.
  [[nodiscard]] BuiltProgram program(const std::string& name, const std::string& script) const {
    const fs::path path = folder.path() / name;
    std::ofstream(path) << "#!/bin/sh\nruns=$(grep -c '^" << name << "$' " << log().string() << ")\necho "
                        << name << " >>" << log().string() << "\n"
                        << script << "\n";
    fs::permissions(path, fs::perms(0755));
    BuiltProgram built;
    built.program = path;
    built.folder = folder.path();
    return built;
  }
  [[nodiscard]] fs::path log() const { return folder.path() / "log"; }
  [[nodiscard]] std::vector<std::string> names_of_runs() const {
    std::ifstream file(log());
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) names.push_back(line);
    return names;
  }

  FastOutcome timed(const std::string& student, const std::string& baseline = "echo 42; echo 8 >&2") {
    std::ofstream{log()};
    course.rubric.versions = {rule};
    CaseSettings settings{fake.installation, spec, folder.path()};
    settings.engine = Engine::host;
    const BuiltProgram ours = program("baseline", baseline);
    const BuiltProgram theirs = program("student", student);
    const CompareOutput compare = [&](const program::Output&, const std::string& actual) {
      ++compared;
      return actual == "42\n" ? std::nullopt
                              : std::optional(make_cause(CauseKind::wrong_output, "it is not 42"));
    };
    const auto told = [](const program_analysis::ProgramRun& run) { return std::stod(run.errors); };
    return time_programs({settings, course, rule, one, ours, theirs, compare, told, [] { return 0.0; },
                          measure::kLookEvery, 7});
  }
  static std::vector<std::string> kinds(const FastOutcome& found) {
    std::vector<std::string> names;
    for (const Cause& cause : found.outcome.causes) names.emplace_back(name_of(cause.kind));
    return names;
  }

  TemporaryFolder folder;
  FakeInstallation fake;
  program::Spec spec;
  program::Case one;
  Course course;
  VersionRule rule;
  int compared = 0;
};

TEST_F(ProgramSpeeds, are_decided_by_the_statistics_of_kernels) {
  const FastOutcome quick = timed("echo 42; echo 1 >&2");
  EXPECT_THAT(quick.outcome.causes, IsEmpty());
  ASSERT_TRUE(quick.measurement);
  EXPECT_THAT(quick.measurement->student_ms, SizeIs(24)) << "12 rounds of two runs each";
  EXPECT_NEAR(quick.measurement->speedup, 8, 1e-9);
  EXPECT_EQ(quick.measurement->decided_by, "interval");

  const FastOutcome slow = timed("echo 42; echo 4 >&2");
  ASSERT_THAT(kinds(slow), testing::ElementsAre("too_slow"));
  const Cause& cause = slow.outcome.causes.front();
  EXPECT_THAT(cause.message, HasSubstr("2.00 times as fast as the naive program; 4 times is required"));
  EXPECT_EQ(cause.test, "large");
  EXPECT_EQ(cause.file, "p.cpp");

  EXPECT_EQ(timed("echo 42; echo 9 >&2").measurement->decided_by, "hopeless");
}

TEST_F(ProgramSpeeds, earn_points_in_steps_over_the_courses_own_program) {
  rule.speed_unit = SpeedUnit::reference;
  rule.steps = {{0.5, 2}, {0.9, 3}};
  const FastOutcome found = timed("echo 42; echo 12 >&2");
  ASSERT_THAT(kinds(found), testing::ElementsAre("too_slow"));
  EXPECT_THAT(found.outcome.causes.front().message,
              AllOf(HasSubstr("2 of 5 points"), HasSubstr("the course's solution")));
  ASSERT_THAT(found.outcome.parts, SizeIs(2));
  EXPECT_TRUE(found.outcome.parts[0].reached);
  EXPECT_FALSE(found.outcome.parts[1].reached);
}

TEST_F(ProgramSpeeds, alternate_in_an_order_that_is_drawn) {
  timed("echo 42; echo 1 >&2");
  const std::vector<std::string> names = names_of_runs();
  ASSERT_EQ(names.size(), 2U + 3 + 12 * 4 + 3);
  EXPECT_EQ(compared, 56) << "the outputs of every run are compared";
  int first = 0;
  for (std::size_t at = 5; at + 3 < names.size(); at += 4) {
    EXPECT_NE(names[at], names[at + 1]);
    EXPECT_EQ(names[at], names[at + 2]);
    EXPECT_EQ(names[at + 1], names[at + 3]);
    first += names[at] == "student" ? 1 : 0;
  }
  EXPECT_GT(first, 0);
  EXPECT_LT(first, 12);
}

TEST_F(ProgramSpeeds, a_wrong_output_in_any_run_fails) {
  const FastOutcome found = timed("[ $runs -lt 9 ] && echo 42; echo 1 >&2");
  EXPECT_THAT(kinds(found), testing::ElementsAre("wrong_when_timed"));
  EXPECT_FALSE(found.measurement);
  EXPECT_THAT(kinds(timed("echo 42; echo 1 >&2; kill -SEGV $$")), testing::ElementsAre("crashed"));
}

TEST_F(ProgramSpeeds, a_wrong_program_of_the_course_costs_nobody_points) {
  const FastOutcome found = timed("echo 42; echo 1 >&2", "echo 41; echo 8 >&2");
  ASSERT_THAT(kinds(found), testing::ElementsAre("internal"));
  EXPECT_THAT(found.outcome.causes.front().message, HasSubstr("the naive program, timed in turns"));
}

TEST_F(ProgramSpeeds, a_noisy_machine_decides_nothing) {
  const std::string swings = "echo 42; if [ $((runs % 2)) = 0 ]; then echo 8 >&2; else echo 13 >&2; fi";
  const FastOutcome found = timed("echo 42; echo 1 >&2", swings);
  ASSERT_THAT(kinds(found), testing::ElementsAre("noise"));
  EXPECT_THAT(found.outcome.causes.front().message, HasSubstr("the naive program, measured against itself"));
}

TEST_F(ProgramSpeeds, need_a_gpu_unless_nothing_asks_for_one) {
  EXPECT_FALSE(needs_gpu(rule, spec));
  rule.sources = {"main.cpp", "*.c"};
  EXPECT_FALSE(needs_gpu(rule, spec));
  rule.sources = {"main.cpp", "*.cu"};
  EXPECT_TRUE(needs_gpu(rule, spec));
  rule.sources = {"main.cpp"};
  spec.cases[0].kernels = 1;
  EXPECT_TRUE(needs_gpu(rule, spec));
}

}  // namespace
}  // namespace warpmark::judge
