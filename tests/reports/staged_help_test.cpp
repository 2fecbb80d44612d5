// What a student's copy leaves out is in none of its reports.
#include "harness/model/staged_help.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/formats/autograders.h"
#include "reports/formats/ci.h"
#include "reports/reports.h"
#include "tests/reports/sample_grade.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kRemedy = "REMEDY-WORDS";
constexpr std::string_view kSource = "SOURCE-WORDS";
constexpr std::string_view kLesson = "LESSON-WORDS";
constexpr std::string_view kCompiler = "COMPILER-WORDS";

// Each failed check of the student's has the words of every stage in it.
Grade marked_grade() {
  Grade grade = sample_grade();
  for (CheckResult& check : grade.checks) {
    for (auto* causes : {&check.causes, &check.notes}) {
      for (Cause& cause : *causes) {
        if (rule_of(cause.kind).verdict != Verdict::failed || check.check == "builds") continue;
        if (cause.kind == CauseKind::not_implemented || cause.kind == CauseKind::compile_error) continue;
        cause.message = kRemedy;
        cause.details = kRemedy;
        cause.file = std::string(kSource) + ".cu";
        cause.line = 7;
        cause.excerpt = {{7, std::string(kSource)}};
      }
    }
  }
  CheckResult failed;
  failed.id = "reduction.v01_atomic_per_element.work";
  failed.version = "v01_atomic_per_element";
  failed.check = "work";
  failed.verdict = Verdict::failed;
  failed.causes = {make_cause(CauseKind::too_much_work, std::string(kRemedy))};
  grade.checks.push_back(failed);
  Counted counted;
  counted.version = failed.version;
  counted.limits.push_back({"atomics_a_value", "atomics", 1, 0.1, false, false, std::string(kLesson)});
  counted.lines.push_back({"v01.cu", 7, std::string(kSource), 1});
  grade.counters = {counted};
  return grade;
}

HelpRules rules(Shown shows) {
  HelpRules rules;
  rules.given = true;
  rules.all.shows = shows;
  return rules;
}

std::map<std::string, std::string> reports_of(const Grade& grade) {
  ConsoleStyle all;
  all.detail = Detail::all;
  std::map<std::string, std::string> reports{{"grade.json", to_json(grade)},
                                             {"index.html", to_html(grade)},
                                             {"junit.xml", to_junit(grade)},
                                             {"results.json", gradescope_results(grade, nullptr)},
                                             {"classroom", classroom_result(grade, nullptr)},
                                             {"console", to_console(grade, all)}};
  reports["github"] = github_annotations(grade, "submission") + github_summary(grade);
  reports["gitlab"] = gitlab_code_quality(grade, "submission");
  for (const CheckResult& check : grade.checks) reports["console"] += to_console(check, all);
  return reports;
}

void expect_words(const Grade& grade, std::string_view words, bool there) {
  bool anywhere = false;
  for (const auto& [name, text] : reports_of(grade)) {
    const bool shows = text.find(words) != std::string::npos;
    EXPECT_FALSE(shows && !there) << name << " shows " << words;
    anywhere = anywhere || shows;
  }
  EXPECT_EQ(anywhere, there) << words;
}

TEST(StagedHelp, what_a_stage_hides_is_in_no_file) {
  const Sight first{0, 1};
  const struct {
    Shown shows;
    bool source, remedy;
  } cases[] = {{Shown::verdict, false, false},
               {Shown::cause, false, false},
               {Shown::line, true, false},
               {Shown::remedy, true, true}};
  for (const auto& each : cases) {
    SCOPED_TRACE(name_of(each.shows));
    const Grade copy = copy_for_student(marked_grade(), rules(each.shows), first);
    expect_words(copy, kSource, each.source);
    expect_words(copy, kRemedy, each.remedy);
    expect_words(copy, kLesson, each.remedy);
    const auto read = grade_from_json(to_json(copy));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(to_json(*read), to_json(copy));
    EXPECT_EQ(against_schema(nlohmann::json::parse(to_json(copy)), "grade"), "");
  }
}

TEST(StagedHelp, points_and_verdicts_stay) {
  const Grade whole = marked_grade();
  const Grade copy = copy_for_student(whole, rules(Shown::verdict), {0, 1});
  ASSERT_EQ(copy.checks.size(), whole.checks.size());
  for (std::size_t i = 0; i < whole.checks.size(); ++i) {
    EXPECT_EQ(copy.checks[i].verdict, whole.checks[i].verdict);
    EXPECT_EQ(copy.checks[i].points, whole.checks[i].points);
  }
  EXPECT_EQ(copy.score.points, whole.score.points);
}

TEST(StagedHelp, what_a_student_cannot_go_on_without_stays) {
  Grade grade = marked_grade();
  grade.checks[0].check = "builds";
  grade.checks[0].verdict = Verdict::failed;
  grade.checks[0].causes = {make_cause(CauseKind::compile_error, std::string(kCompiler))};
  expect_words(copy_for_student(grade, rules(Shown::verdict), {0, 1}), kCompiler, true);
}

TEST(StagedHelp, everything_is_shown_from_a_date_or_an_attempt_on) {
  HelpRules staged = rules(Shown::cause);
  staged.all.until = 1000;
  staged.all.until_text = "2026-12-01T00:00:00Z";
  staged.all.attempts = 3;
  EXPECT_EQ(shown_of(staged.all, {999, 2}), Shown::cause);
  EXPECT_EQ(shown_of(staged.all, {1000, 1}), Shown::remedy);
  EXPECT_EQ(shown_of(staged.all, {0, 3}), Shown::remedy);
  EXPECT_THAT(to_html(copy_for_student(marked_grade(), staged, {0, 1})),
              HasSubstr("the rest is shown from 2026-12-01T00:00:00Z or from attempt 3 on"));
  expect_words(copy_for_student(marked_grade(), staged, {0, 3}), kRemedy, true);
}

TEST(StagedHelp, a_check_may_have_its_own_rule) {
  HelpRules staged = rules(Shown::remedy);
  staged.by_check["work"].shows = Shown::verdict;
  const Grade copy = copy_for_student(marked_grade(), staged, {0, 1});
  EXPECT_TRUE(copy.checks.back().causes.empty());
  expect_words(copy, kLesson, false);
  expect_words(copy, kRemedy, true);
}

TEST(StagedHelp, a_rubric_without_it_changes_nothing) {
  const Grade whole = marked_grade();
  EXPECT_EQ(to_json(copy_for_student(whole, {}, {0, 1})), to_json(whole));
}

TEST(StagedHelp, the_page_opens_one_step_at_a_time) {
  const std::string page = to_html(copy_for_student(marked_grade(), rules(Shown::remedy), {0, 1}));
  const std::size_t question = page.find(hint_for(CauseKind::too_much_work).question);
  ASSERT_NE(question, std::string::npos);
  EXPECT_THAT(page, HasSubstr("<summary>The rule</summary>"));
  EXPECT_THAT(page, HasSubstr("<summary>The line</summary>"));
  EXPECT_THAT(page, HasSubstr("<summary>What is wrong, and what to do</summary>"));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(to_html(marked_grade()), Not(HasSubstr("<summary>The rule</summary>")));
}

}  // namespace
}  // namespace warpmark
