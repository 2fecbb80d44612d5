// What a grade says of versions that passed, with the work that the course recorded of its solutions.
#include "harness/judge/passed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/counters.h"
#include "harness/base/file.h"
#include "harness/model/passed.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSolution = "// a solution\n";

Counted counted(const std::string& version, double sectors) {
  Counted result;
  result.version = version;
  result.type = "int";
  result.n = 1000;
  result.kernels = {{"k", 1, {{std::string(counter::kLoadSectors), sectors}}}};
  return result;
}

class PassedVersions : public testing::Test {
 protected:
  PassedVersions() {
    rubric.assignment = "sum";
    rubric.home.folder = folder.path() / "sum";
    rubric.home.reference = rubric.home.folder / "reference";
    fs::create_directories(rubric.home.reference);
    for (const char* name : {"v01", "v02", "v03", "v04_library"}) {
      VersionRule version;
      version.name = name;
      version.checks = {Check::builds, Check::correct, Check::work};
      version.given = rubric.versions.empty();
      version.reference_only = rubric.versions.size() == 3;
      if (version.given) version.checks.pop_back();
      rubric.versions.push_back(version);
      if (!version.reference_only)
        record.versions.push_back({name,
                                   std::string("as ") + name + ".",
                                   sha256(kSolution),
                                   "",
                                   {{1000, figures_of(counted(name, 100))}}});
    }
    record.assignment = "sum";
    record.type = "int";
    write(to_json(record));
    for (const char* name : {"v01", "v02", "v03"}) add_result(name, Verdict::passed);
    grade.counters = {counted("v02", 800), counted("v03", 200)};
  }

  void write(const std::string& text) const {
    ASSERT_TRUE(write_file(rubric.home.folder / kReferenceFile, text));
  }
  void write_solution(const std::string& text) const {
    ASSERT_TRUE(write_file(rubric.home.reference / "v02.cu", text));
  }
  void add_result(const std::string& version, Verdict verdict) {
    CheckResult check;
    check.version = version;
    check.check = "correct";
    check.verdict = verdict;
    grade.checks.push_back(check);
  }
  static double sectors(const std::optional<WorkFigures>& work) { return work ? work->sectors : -1; }

  const TemporaryFolder folder;
  Rubric rubric;
  ReferenceWork record;
  Grade grade;
};

TEST_F(PassedVersions, stand_beside_the_reference_and_lead_to_the_next_step) {
  add_passed(grade, rubric);
  ASSERT_EQ(grade.passed.size(), 3U);
  const PassedVersion& given = grade.passed[0];
  EXPECT_EQ(given.next, "v02");
  EXPECT_EQ(given.teaches, "as v02.");
  EXPECT_FALSE(given.work) << "it has no check `work`";
  const PassedVersion& second = grade.passed[1];
  EXPECT_EQ(sectors(second.work), 800);
  EXPECT_EQ(sectors(second.reference), 100);
  EXPECT_EQ(sectors(second.reference_of_next), 100);
  ASSERT_TRUE(second.before);
  EXPECT_EQ(second.before->version, "v01");
  EXPECT_TRUE(second.before->of_the_course);
  const PassedVersion& third = grade.passed[2];
  EXPECT_EQ(third.next, "") << "only the course has the one after it";
  ASSERT_TRUE(third.before);
  EXPECT_EQ(third.before->version, "v02");
  EXPECT_FALSE(third.before->of_the_course);
  EXPECT_EQ(sectors(third.before->work), 800);
  EXPECT_THAT(grade.remarks, IsEmpty());
}

TEST_F(PassedVersions, are_those_that_no_check_failed) {
  grade.checks[1].verdict = Verdict::failed;
  add_result("v03", Verdict::not_run);
  add_passed(grade, rubric);
  ASSERT_EQ(grade.passed.size(), 2U);
  EXPECT_EQ(grade.passed[1].version, "v03");
  grade.checks[2].verdict = Verdict::not_run;
  grade.passed.clear();
  add_passed(grade, rubric);
  EXPECT_EQ(grade.passed.size(), 1U) << "without `correct` a version has not passed";
}

TEST_F(PassedVersions, are_not_compared_at_another_size) {
  grade.counters[1].n = 999;
  add_passed(grade, rubric);
  EXPECT_FALSE(grade.passed[2].reference);
  EXPECT_FALSE(grade.passed[2].before);
}

TEST_F(PassedVersions, have_no_reference_without_a_record) {
  fs::remove(rubric.home.folder / kReferenceFile);
  EXPECT_TRUE(recorded_work(rubric)->missing);
  add_passed(grade, rubric);
  ASSERT_EQ(grade.passed.size(), 3U);
  EXPECT_FALSE(grade.passed[1].reference);
  EXPECT_EQ(grade.passed[1].next, "v03");
  EXPECT_THAT(grade.remarks, IsEmpty());
}

TEST_F(PassedVersions, have_no_reference_where_the_solution_has_changed_since) {
  write_solution(kSolution);
  EXPECT_THAT(recorded_work(rubric)->stale, IsEmpty());
  write_solution("// another solution\n");
  EXPECT_THAT(recorded_work(rubric)->stale, ElementsAre("v02"));
  add_passed(grade, rubric);
  EXPECT_FALSE(grade.passed[1].reference);
  EXPECT_TRUE(grade.passed[2].reference);
  write_solution(kSolution);
  rubric.versions[1].work_data = "few";
  EXPECT_THAT(recorded_work(rubric)->stale, ElementsAre("v02")) << "counted with other data";
}

TEST_F(PassedVersions, have_no_reference_in_a_record_that_cannot_be_read) {
  const std::string file = (rubric.home.folder / kReferenceFile).string();
  write("{\"schema\": \"warpmark.reference/1\"}");
  EXPECT_THAT(recorded_work(rubric).error().message,
              testing::AllOf(HasSubstr(file), HasSubstr("assignment"),
                             HasSubstr("`warpmark assignment check NAME --record`")));
  add_passed(grade, rubric);
  ASSERT_EQ(grade.passed.size(), 3U);
  EXPECT_FALSE(grade.passed[1].reference);
  EXPECT_THAT(grade.remarks, ElementsAre(HasSubstr("the course's solutions are left out: " + file)));
  record.assignment = "product";
  write(to_json(record));
  EXPECT_THAT(recorded_work(rubric).error().message,
              HasSubstr("it was recorded for product. Record it again with `warpmark assignment check sum"));
}

TEST(Record, of_every_assignment_of_the_tool_is_that_of_its_solutions_of_today) {
  const auto homes = all_assignments(WARPMARK_ROOT);
  ASSERT_TRUE(homes);
  EXPECT_GE(homes->size(), 9U);
  for (const AssignmentHome& home : *homes) {
    const auto rubric = read_rubric(home);
    ASSERT_TRUE(rubric) << rubric.error().message;
    const auto recorded = recorded_work(*rubric);
    ASSERT_TRUE(recorded) << recorded.error().message;
    EXPECT_FALSE(recorded->missing) << home.name;
    EXPECT_THAT(recorded->stale, IsEmpty()) << "./warpmark assignment check " << home.name << " --record";
    for (const VersionRule& version : rubric->versions) {
      if (!version.has(Check::work) || version.gpu_only || version.reference_only) continue;
      const RecordedVersion* found = recorded->work.find(version.name);
      ASSERT_NE(found, nullptr) << version.name;
      EXPECT_THAT(found->calls, testing::Not(IsEmpty())) << version.name;
      EXPECT_NE(found->teaches, "") << version.name;
    }
  }
}

}  // namespace
}  // namespace warpmark::judge
