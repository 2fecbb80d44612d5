// What the grades of a class say together.
#include "harness/class/run/tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/grade.h"
#include "reports/class/pages.h"

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
  if (kind) result.causes.front().again = "warpmark grade . --only " + result.id;
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
  grade.checks[0].possible = 2;
  grade.checks[0].points = correct == Verdict::passed ? 2 : 0;
  if (speedup > 0) {
    Measurement measured;
    measured.version = "v1";
    measured.speedup = speedup;
    grade.measurements = {measured};
  }
  return grade;
}

StudentResult student_in(const std::string& id, StudentState state) {
  StudentResult student;
  student.id = id;
  student.state = state;
  return student;
}

class Tally : public testing::Test {
 protected:
  Tally() {
    add("ada", grade_with(Verdict::passed, std::nullopt, 4));
    add("bob", grade_with(Verdict::failed, CauseKind::race, 9));
    add("cleo", grade_with(Verdict::failed, CauseKind::race, 0));
    result.students.push_back(student_in("dan", StudentState::missing));
    add_tallies(result, folder.path(), {"/course/warpmark", " --rubric rubric.toml"});
  }
  void add(const std::string& id, const Grade& grade) {
    std::filesystem::create_directories(folder.path() / "students" / id);
    StudentResult student = student_in(id, StudentState::graded);
    student.points = 1;
    student.possible = 2;
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

TEST_F(Tally, names_the_instructors_command_for_the_first_of_a_cause) {
  EXPECT_EQ(result.causes[0].again,
            "/course/warpmark grade submissions/bob --only reduction.v1.correct --rubric rubric.toml");
  EXPECT_THAT(to_html(result),
              HasSubstr("<code>&#x2F;course&#x2F;warpmark grade submissions&#x2F;bob --only"));
}

TEST_F(Tally, counts_what_passed_without_points) {
  EXPECT_EQ(result.checks[0].unearned, 2U) << "v1 builds for all, and is correct for ada alone";
  ClassResult whole = result;
  whole.checks = {{.version = "", .check = "upload_once", .passed = 10, .unearned = 9}};
  EXPECT_THAT(to_html(whole), HasSubstr("9 of 10 that passed earn no points: they have no correct version"));
}

WhatWentWrong class_of(std::size_t with, std::size_t without) {
  WhatWentWrong all;
  for (std::size_t i = 0; i < with; ++i)
    all["bad" + std::to_string(i)] = {"not built: 'atomic_add.h' file not found", "race"};
  for (std::size_t i = 0; i < without; ++i) all["good" + std::to_string(i)] = {};
  all["bad0"].erase("race");
  return all;
}

TEST(CommonCauses, are_those_of_four_fifths_of_at_least_five) {
  const auto common = common_causes(class_of(39, 2));
  ASSERT_THAT(common, SizeIs(2));
  EXPECT_EQ(text_of(common[0]), "39 of 41: not built: 'atomic_add.h' file not found");
  EXPECT_EQ(text_of(common[1]), "38 of 41: race");
  EXPECT_THAT(common_causes(class_of(4, 1)), SizeIs(1)) << "four fifths, exactly";
  EXPECT_THAT(common_causes(class_of(7, 3)), SizeIs(0));
  EXPECT_THAT(common_causes(class_of(4, 0)), SizeIs(0)) << "too few to say so";
  EXPECT_THAT(common_causes({}), SizeIs(0));
}

TEST(CommonCauses, of_graded_and_not_graded_students_stand_on_top_of_the_page) {
  TemporaryFolder folder;
  ClassResult result;
  for (const char* id : {"a", "b", "c", "d", "e"}) {
    result.students.push_back(student_in(id, StudentState::unusable));
    result.students.back().cause = StudentCause{"refused", "the box <cannot> be entered"};
  }
  result.students.push_back(student_in("f", StudentState::missing));
  add_tallies(result, folder.path());
  ASSERT_THAT(result.common_causes, SizeIs(1));
  EXPECT_EQ(text_of(result.common_causes[0]), "5 of 5: not graded: the box <cannot> be entered");
  const std::string page = to_html(result);
  EXPECT_LT(page.find("<strong>5 of 5</strong>: not graded: the box &lt;cannot&gt; be entered"),
            page.find("<main"));
  const auto read = class_from_json(to_json(result));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(result));
}

// The labels and counts of the histogram for students with these points.
using Bin = std::pair<std::string, std::string>;

std::vector<Bin> bins_of(double possible, const std::vector<double>& points) {
  ClassResult result;
  result.possible = possible;
  for (const double each : points) {
    result.students.push_back(student_in("x", StudentState::graded));
    result.students.back().points = each;
    result.students.back().possible = possible;
  }
  const std::string page = to_html(result);
  std::vector<std::pair<std::string, std::string>> bins;
  const std::string begin = "<div class=\"bar\"><span>";
  const std::string count = "<span class=\"bar-text\">";
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at + 1)) {
    const std::size_t label = at + begin.size();
    const std::size_t number = page.find(count, label) + count.size();
    bins.emplace_back(page.substr(label, page.find('<', label) - label),
                      page.substr(number, page.find('<', number) - number));
  }
  return bins;
}

TEST(Histogram, counts_every_student_in_the_one_bin_that_names_the_points) {
  const auto whole = bins_of(100, {0, 9, 10, 29, 29.000000000000004, 69.99999999999999, 90, 100});
  ASSERT_THAT(whole, SizeIs(10));
  EXPECT_EQ(whole[0], Bin("0 to 9", "2"));
  EXPECT_EQ(whole[1], Bin("10 to 19", "1"));
  EXPECT_EQ(whole[2], Bin("20 to 29", "2"));
  EXPECT_EQ(whole[7], Bin("70 to 79", "1")) << "a sum that shows as 70";
  EXPECT_EQ(whole[9], Bin("90 to 100", "2"));
  const auto parts = bins_of(100, {9.5, 10});
  EXPECT_EQ(parts[0], Bin("0 to below 10", "1"));
  EXPECT_EQ(parts[1], Bin("10 to below 20", "1"));
  EXPECT_EQ(bins_of(26, {2.6})[1], Bin("2.6 to below 5.2", "1"));
  EXPECT_EQ(bins_of(10, {3})[3], Bin("3", "1"));
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
