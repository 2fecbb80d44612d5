// What the grades of a class say together.
#include "harness/class/run/tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "reports/class_reports.h"

namespace warpmark::classroom {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

CheckResult check(const std::string& version, const std::string& name, Verdict verdict,
                  std::optional<CauseKind> kind = std::nullopt) {
  CheckResult result;
  result.id = "reduction." + version + "." + name;
  result.version = version;
  result.check = name;
  result.verdict = verdict;
  if (kind) result.causes = {make_cause(*kind, "m", version + ".cu")};
  return result;
}

// Two versions: v1 as asked for, v2 not begun.
Grade grade_with(Verdict correct, std::optional<CauseKind> kind, double speedup) {
  Grade grade;
  grade.assignment = "reduction";
  grade.checks = {check("v1", "builds", Verdict::passed), check("v1", "correct", correct, kind),
                  check("v1", "fast", Verdict::not_run,
                        correct == Verdict::passed ? CauseKind::no_gpu : CauseKind::depends),
                  check("v2", "builds", Verdict::failed, CauseKind::not_implemented),
                  check("v2", "correct", Verdict::not_run, CauseKind::depends)};
  if (speedup > 0) {
    Measurement measured;
    measured.version = "v1";
    measured.speedup = speedup;
    grade.measurements = {measured};
  }
  return grade;
}

class Tally : public testing::Test {
 protected:
  Tally() {
    add("ada", grade_with(Verdict::passed, std::nullopt, 4));
    add("bob", grade_with(Verdict::failed, CauseKind::race, 9));
    add("cleo", grade_with(Verdict::failed, CauseKind::race, 0));
    result.students.push_back({.id = "dan", .state = StudentState::missing});
    add_tallies(result, folder.path());
  }
  void add(const std::string& id, const Grade& grade) {
    std::filesystem::create_directories(folder.path() / "students" / id);
    StudentResult student{.id = id, .state = StudentState::graded, .points = 1, .possible = 2};
    student.grade = "students/" + id + "/grade.json";
    if (!write_file(folder.path() / student.grade, to_json(grade))) throw std::runtime_error("cannot write");
    result.students.push_back(student);
  }
  TemporaryFolder folder;
  ClassResult result;
};

TEST_F(Tally, counts_how_each_check_went) {
  ASSERT_THAT(result.checks, SizeIs(5));
  const CheckTally& correct = result.checks[1];
  EXPECT_EQ(correct.version + "." + correct.check, "v1.correct");
  EXPECT_EQ(correct.passed, 1U);
  EXPECT_EQ(correct.failed, 2U);
  EXPECT_EQ(result.checks[2].failed, 2U) << "what waits for a check that failed has failed";
  EXPECT_EQ(result.checks[2].not_decided, 1U);
  EXPECT_EQ(result.checks[4].not_started, 3U) << "what waits for a version that was not begun has not failed";
  EXPECT_EQ(result.checks[4].failed, 0U);
}

TEST_F(Tally, names_who_has_which_cause) {
  ASSERT_THAT(result.causes, SizeIs(1));
  EXPECT_EQ(result.causes[0].kind, CauseKind::race);
  EXPECT_EQ(result.causes[0].version, "v1");
  EXPECT_THAT(result.causes[0].students, ElementsAre("bob", "cleo"));
}

TEST_F(Tally, puts_the_fastest_first_by_pseudonyms_that_stay) {
  ASSERT_THAT(result.fastest, SizeIs(2));
  EXPECT_EQ(result.fastest[0].id, "bob");
  EXPECT_NE(result.fastest[0].pseudonym, result.fastest[1].pseudonym);
  ClassResult again = result;
  again.checks.clear();
  again.causes.clear();
  again.fastest.clear();
  add_tallies(again, folder.path());
  EXPECT_EQ(again.fastest[0].pseudonym, result.fastest[0].pseudonym);
  EXPECT_NE(pseudonym_of("bob", "one"), pseudonym_of("bob", "another"));
}

TEST_F(Tally, is_on_the_page_and_pseudonyms_alone_are_for_students) {
  const std::string page = to_html(result);
  EXPECT_THAT(page, AllOf(HasSubstr("33\u2009%"), HasSubstr("<strong>2</strong> <bdi>v1</bdi>: race"),
                          HasSubstr("students/cleo/index.html"), HasSubstr("leaders.html")));
  EXPECT_THAT(leaders_to_html(result), AllOf(HasSubstr(result.fastest[0].pseudonym), Not(HasSubstr("bob"))));
}

TEST_F(Tally, survives_class_json) {
  const auto read = class_from_json(to_json(result));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(result));
}

}  // namespace
}  // namespace warpmark::classroom
