// The recorded work of an assignment's solutions is what the simulator counts, and what grades show.
#include "harness/assignment_check/record.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignment_check/check.h"
#include "harness/assignment_check/shapes.h"
#include "harness/base/file.h"
#include "harness/judge/intake/opening.h"
#include "harness/judge/judge.h"
#include "harness/judge/passed.h"
#include "tests/home.h"

namespace warpmark::assignment_check {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const judge::Installation kWhereBuilt{WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB};

TEST(FirstSentence, is_what_a_solution_changes) {
  EXPECT_EQ(
      first_sentence("// What changes: as v02, but\n// with fewer atomics. What that cures: a queue.\n"),
      "as v02, but with fewer atomics.");
  EXPECT_EQ(first_sentence("// Each block counts in shared memory.\n// Cures: atomics\n#include <a>\n"),
            "Each block counts in shared memory.");
  EXPECT_EQ(first_sentence("// No full stop\n//\n// More. Text\nint x;  // y. z\n"), "No full stop");
  EXPECT_EQ(first_sentence("// The threads 0, 1, ... add, e.g. two. What that cures: x.\n"),
            "The threads 0, 1, ... add, e.g. two.");
  EXPECT_EQ(first_sentence("#include <a>\n// comment\n"), "");
}

class RecordedSolutions : public testing::Test {
 protected:
  void SetUp() override {
    options_.cache = WARPMARK_CACHE;
    setting_.engines = judge::find_engines(kWhereBuilt, judge::kEngineLimit);
    if (!setting_.engines.has(Engine::simulator))
      GTEST_SKIP() << "not run: " << setting_.engines.missing.at(Engine::simulator).message;
  }

  // Takes an assignment, or those of its versions that are named.
  void take(const AssignmentHome& home, const std::vector<std::string>& versions = {}) {
    auto rubric = judge::read_rubric(home);
    ASSERT_TRUE(rubric) << rubric.error().message;
    setting_.rubric = std::move(*rubric);
    if (!versions.empty())
      std::erase_if(setting_.rubric.versions, [&](const judge::VersionRule& version) {
        return std::ranges::find(versions, version.name) == versions.end();
      });
    auto made = judge::make_assignment(setting_.rubric, kWhereBuilt, WARPMARK_CACHE);
    ASSERT_TRUE(made) << made.error().message;
    setting_.assignment = std::move(*made);
  }
  ReferenceWork record() {
    auto work = record_work(setting_);
    if (!work) throw std::runtime_error(work.error().message);
    return std::move(*work);
  }
  void take_new() {
    const auto written = write_assignment(WARPMARK_ROOT, "recorded", "vector", folder_.path());
    ASSERT_TRUE(written) << written.error().message;
    home_ = *written;
    take(*find_assignment(WARPMARK_ROOT, home_.string()));
  }
  std::string finding() const {
    const auto findings = findings_of_record(setting_.rubric);
    return std::string(name_of(findings.at(0).standing)) + ": " + findings[0].message;
  }
  static std::string name_of(Standing standing) {
    return standing == Standing::fine ? "fine" : standing == Standing::open ? "open" : "remark";
  }

  CheckOptions options_;
  Setting setting_{kWhereBuilt, options_, {}, {}, {}};
  const TemporaryFolder folder_;
  fs::path home_;
};

class OfTheTool : public RecordedSolutions,
                  public testing::WithParamInterface<std::pair<const char*, std::vector<std::string>>> {};

TEST_P(OfTheTool, are_recorded_as_the_simulator_counts_them_today) {
  const auto& [name, versions] = GetParam();
  take(home_of(name), versions);
  const ReferenceWork now = record();
  const auto recorded = judge::recorded_work(setting_.rubric);
  ASSERT_TRUE(recorded) << recorded.error().message;
  for (const std::string& version : versions) {
    const RecordedVersion* of_today = now.find(version);
    const RecordedVersion* of_file = recorded->work.find(version);
    ASSERT_TRUE(of_today != nullptr && of_file != nullptr) << version;
    ReferenceWork one{.versions = {*of_today}};
    ReferenceWork other{.versions = {*of_file}};
    EXPECT_EQ(to_json(one), to_json(other)) << "./warpmark assignment check " << name << " --record";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Assignments, OfTheTool,
    testing::Values(
        std::pair("warmup", std::vector<std::string>{"w01_thread_per_element", "w02_grid_stride"}),
        std::pair("reduction", std::vector<std::string>{"v03_atomic_coalesced", "v07_tree_sequential"}),
        std::pair("matmul", std::vector<std::string>{"m03_tiled"})),
    [](const auto& which) { return which.param.first; });

TEST_F(RecordedSolutions, stand_in_the_grade_of_a_solution_as_its_own_work) {
  take_new();
  EXPECT_THAT(finding(), HasSubstr("remark: there is no record"));
  ASSERT_TRUE(write_file(home_ / kReferenceFile, to_json(record())));
  EXPECT_THAT(finding(), HasSubstr("fine: "));
  judge::GradeOptions options;
  options.submission = home_ / "reference";
  options.assignment = home_.string();
  options.engine = Engine::simulator;
  options.cache = WARPMARK_CACHE;
  const auto grade = judge::grade_submission(kWhereBuilt, options);
  ASSERT_TRUE(grade) << grade.error().message;
  ASSERT_EQ(grade->passed.size(), 2U);
  EXPECT_EQ(grade->passed[0].next, "v02_coalesced");
  EXPECT_NE(grade->passed[0].teaches, "");
  const PassedVersion& solution = grade->passed[1];
  ASSERT_TRUE(solution.work && solution.reference && solution.before);
  EXPECT_TRUE(solution.before->of_the_course);
  EXPECT_GT(solution.before->work.sectors, 4 * solution.work->sectors)
      << "the naive version is not coalesced";
  for (const auto member : {&WorkFigures::launches, &WorkFigures::instructions, &WorkFigures::requests,
                            &WorkFigures::sectors, &WorkFigures::active_lanes}) {
    const double own = (*solution.work).*member;
    EXPECT_GT(own, 0);
    EXPECT_NEAR((*solution.reference).*member, own, 0.01 * own);
  }
}

TEST_F(RecordedSolutions, are_asked_for_again_once_a_solution_has_changed) {
  take_new();
  ASSERT_TRUE(write_file(home_ / kReferenceFile, to_json(record())));
  const fs::path solution = home_ / "reference/v02_coalesced.cu";
  ASSERT_TRUE(write_file(solution, read_file(solution).value_or("") + "// changed\n"));
  EXPECT_THAT(finding(),
              testing::AllOf(HasSubstr("remark: "), HasSubstr("v02_coalesced"), Not(HasSubstr("v01_chunks")),
                             HasSubstr("`warpmark assignment check recorded --record`")));
  ASSERT_TRUE(write_file(home_ / kReferenceFile, "{}"));
  EXPECT_THAT(finding(),
              testing::AllOf(HasSubstr("open: "), HasSubstr("reference.json: This is not a record")));
}

}  // namespace
}  // namespace warpmark::assignment_check
