// How points in parts and bonus points read in every report.
#include <nlohmann/json.hpp>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/formats/autograders.h"
#include "reports/formats/ci.h"
#include "reports/reports.h"
#include "reports/wording/summary.h"
#include "tests/reports/page.h"
#include "tests/reports/sample_grade.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// `fast` of v07 reached the first of three steps; v08 is worth a bonus alone, and earned 3 of 5.
Grade grade_in_parts() {
  Grade grade = sample_grade();
  CheckResult fast;
  fast.id = "reduction.v30_steps.fast";
  fast.version = "v30_steps";
  fast.check = "fast";
  fast.engine = Engine::gpu;
  fast.verdict = Verdict::failed;
  fast.points = 2;
  fast.possible = 7;
  fast.parts = {{"1.5 times as fast as the naive kernel", 2, false, true},
                {"3 times as fast as the naive kernel", 2, false, false},
                {"6 times as fast as the naive kernel", 3, false, false}};
  fast.causes = {make_cause(CauseKind::too_slow,
                            "2 of 7 points: 1.9x; the next step is 3x. It is 1.90 times as fast as the naive "
                            "kernel; 3 times is required",
                            "v30_steps.cu")};
  CheckResult extra = fast;
  extra.id = "reduction.v31_extra.correct";
  extra.version = "v31_extra";
  extra.check = "correct";
  extra.verdict = Verdict::passed;
  extra.causes.clear();
  extra.parts.clear();
  extra.points = extra.possible = 0;
  extra.bonus = 3;
  extra.bonus_possible = 5;
  grade.checks.push_back(fast);
  grade.checks.push_back(extra);
  grade.score = {32, 89, 4, 0, 3, 5};
  Measurement measured = grade.measurements.front();
  measured.version = "v30_steps";
  measured.speedup = 1.904;
  measured.speedup_span = Span{1.89, 1.92};
  measured.threshold = 3;
  measured.steps = {1.5, 3, 6};
  measured.decided_by = "interval";
  grade.measurements.push_back(measured);
  return grade;
}

TEST(PointsInParts, on_the_page_say_what_was_reached_and_what_is_next) {
  const std::string page = to_html(grade_in_parts());
  EXPECT_THAT(page, AllOf(HasSubstr("2 of 7 points: 1.9x; the next step is 3x"),
                          HasSubstr("2 points: 1.5 times as fast as the naive kernel"),
                          HasSubstr("3 points: 6 times as fast as the naive kernel"), HasSubstr("in part"),
                          HasSubstr("steps 1.5\u00D7, 3\u00D7, 6\u00D7"),
                          HasSubstr("certainly 1.5x, certainly below 3x")));
  const Document document = parsed(grade_in_parts());
  EXPECT_THAT(text_of(document, "header"), HasSubstr("32 of 89 points + 3 bonus points"));
  std::vector<std::string> rows;
  for (const Element* row : document.named("tr")) rows.push_back(row->text);
  EXPECT_THAT(rows, testing::Contains(HasSubstr("2 of 7")));
  EXPECT_THAT(rows, testing::Contains(AllOf(HasSubstr("v31_extra"), HasSubstr("+3"))));
}

TEST(PointsInParts, are_in_grade_json_and_survive_it) {
  const std::string text = to_json(grade_in_parts());
  EXPECT_EQ(against_schema(nlohmann::json::parse(text), "grade"), "");
  const auto read = grade_from_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  EXPECT_EQ(read->score.bonus, 3);
  EXPECT_EQ(read->checks.back().bonus_possible, 5);
  EXPECT_THAT(to_json(sample_grade()), AllOf(Not(HasSubstr("bonus")), Not(HasSubstr("\"parts\""))))
      << "a rubric without them leaves grade.json as it was";
}

TEST(PointsInParts, on_the_console_have_the_bonus_beside_the_score) {
  const std::string text = to_console(grade_in_parts(), {});
  EXPECT_THAT(text, AllOf(HasSubstr("32 of 89 points and 3 bonus points"), HasSubstr("2 of 7"),
                          HasSubstr("+3"), HasSubstr("2 of 7 points: 1.9x; the next step is 3x")));
  EXPECT_THAT(github_summary(grade_in_parts()), HasSubstr("2 of 7"));
}

TEST(PointsInParts, in_junit_are_properties_and_text_of_the_failure) {
  const std::string junit = to_junit(grade_in_parts());
  EXPECT_THAT(junit, AllOf(HasSubstr("name=\"score.points\" value=\"32\""),
                           HasSubstr("name=\"score.bonus\" value=\"3\""),
                           HasSubstr("earned: 2 points: 1.5 times as fast as the naive kernel"),
                           HasSubstr("to earn: 2 points: 3 times as fast as the naive kernel")));
  EXPECT_THAT(to_junit(sample_grade()), Not(HasSubstr("bonus")));
}

TEST(PointsInParts, for_autograders_count_beside_the_maximum) {
  const auto gradescope = nlohmann::json::parse(gradescope_results(grade_in_parts(), nullptr));
  EXPECT_EQ(gradescope["score"], 35);
  const auto test_of = [&](const char* id) {
    for (const auto& test : gradescope["tests"]) {
      if (test["name"] == id) return test;
    }
    return nlohmann::json();
  };
  EXPECT_EQ(test_of("reduction.v31_extra.correct")["score"], 3);
  EXPECT_EQ(test_of("reduction.v31_extra.correct")["max_score"], 0);
  EXPECT_EQ(test_of("reduction.v30_steps.fast")["score"], 2);
  EXPECT_EQ(test_of("reduction.v30_steps.fast")["max_score"], 7);
  EXPECT_EQ(test_of("reduction.v30_steps.fast")["status"], "failed");
  const auto classroom = nlohmann::json::parse(classroom_result(grade_in_parts(), nullptr));
  EXPECT_EQ(classroom["max_score"], 89);
  EXPECT_EQ(classroom["tests"].back()["score"], 3);
}

TEST(PointsInParts, of_a_bonus_that_could_not_be_decided_are_no_zero_for_gradescope) {
  Grade grade = grade_in_parts();
  CheckResult& extra = grade.checks.back();
  extra.verdict = Verdict::not_run;
  extra.bonus = 0;
  extra.causes = {make_cause(CauseKind::no_gpu, "no GPU")};
  const auto test =
      nlohmann::json::parse(gradescope_results(grade, nullptr))["tests"][grade.checks.size() - 1];
  EXPECT_FALSE(test.contains("score"));
  EXPECT_THAT(test["output"].get<std::string>(), HasSubstr("5 points are open"));
}

TEST(PointsInParts, that_are_withheld_are_listed_with_the_reason) {
  Grade grade = grade_in_parts();
  CheckResult& fast = grade.checks[grade.checks.size() - 2];
  fast.points = 0;
  fast.notes = {make_cause(CauseKind::depends,
                           "`v30_steps` earns points only when `v01` is right, and its "
                           "`correct` did not pass.")};
  EXPECT_THAT(to_html(grade), AllOf(HasSubstr("Without points, because of another version"),
                                    HasSubstr("v30_steps.fast"), HasSubstr("earns points only when")));
  EXPECT_THAT(to_console(grade, {}),
              HasSubstr("without points, because of another version (1): v30_steps.fast"));
}

}  // namespace
}  // namespace warpmark
