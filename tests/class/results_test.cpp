#include "harness/class/run/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/class/exports/table.h"
#include "harness/class/run/grader.h"
#include "harness/class/run/progress.h"
#include "reports/class/pages.h"
#include "tests/reports/schema.h"
#include "tests/reports/well_formed.h"

namespace warpmark::classroom {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

Taken student(const std::string& id) {
  Taken taken;
  taken.id = id;
  taken.person.name = id;
  taken.content = "content of " + id;
  return taken;
}

Outcome graded(const std::string& id, double points, double open = 0, double needs_gpu = 0) {
  Outcome outcome;
  outcome.content = "content of " + id;
  outcome.score = {points, 100, open, needs_gpu};
  outcome.exit_status = 1;
  return outcome;
}

judge::Rubric rubric_with(double percent, double grace = 0, double most = 100) {
  judge::Rubric rubric;
  rubric.upload_once.points = 100;
  rubric.late = {percent, grace, most};
  return rubric;
}

ClassResult everything() {
  TakenClass taken;
  taken.assignment = "reduction";
  taken.students = {student("broken"),  student("good"),    student("late"),
                    student("missing"), student("waiting"), student("wrong")};
  taken.students[2].lateness = {true, 1.2, 0};
  taken.students[3].content.clear();
  taken.students[3].fault = StudentCause{"missing", "nothing handed in: is only on the roster"};
  taken.students[5].content.clear();
  taken.students[5].fault = StudentCause{"no_versions", "there is no version in it"};
  taken.students[5].remarks = {"=cmd|' /C calc'!A0 <b>x</b>"};
  taken.not_understood = {{"class/notes.txt", "lies beside"}};
  std::map<std::string, Outcome> outcomes{{"good", graded("good", 60, 20, 18)}, {"late", graded("late", 50)}};
  outcomes["good"].doubt = "2 points are open for another reason";
  Outcome broken;
  broken.content = "content of broken";
  broken.state = StudentState::broken;
  broken.cause = StudentCause{"internal", "the grading ended with signal 9"};
  outcomes["broken"] = broken;
  ClassResult result =
      compose(taken, outcomes, {{"good", {2, true, "neat", "ada", "2026-11-22T00:00:00Z"}}}, rubric_with(10));
  result.alike = {{"v07", "good", "late", 0.75}};
  return result;
}

TEST(Compose, gives_every_student_a_state_and_the_same_possible) {
  const ClassResult result = everything();
  std::vector<StudentState> states;
  for (const StudentResult& each : result.students) {
    states.push_back(each.state);
    EXPECT_EQ(each.possible, 100) << each.id;
  }
  EXPECT_THAT(states, ElementsAre(StudentState::broken, StudentState::graded, StudentState::graded,
                                  StudentState::missing, StudentState::waiting, StudentState::unusable));
  EXPECT_EQ(result.exit_status, 3);
  EXPECT_EQ(result.students[1].grade, "students/good/grade.json");
  EXPECT_EQ(result.students[0].grade, "");
}

TEST(Compose, lists_what_the_instructor_has_to_look_at) {
  const ClassResult result = everything();
  EXPECT_THAT(result.look_at,
              Contains(AllOf(Field(&LookAt::id, "good"), Field(&LookAt::why, HasSubstr("open")))));
  EXPECT_THAT(result.look_at,
              Contains(AllOf(Field(&LookAt::id, "broken"), Field(&LookAt::why, HasSubstr("signal 9")))));
  EXPECT_THAT(result.look_at,
              Contains(AllOf(Field(&LookAt::id, "wrong"), Field(&LookAt::why, HasSubstr("no version")))));
  EXPECT_THAT(result.look_at,
              Contains(AllOf(Field(&LookAt::id, ""), Field(&LookAt::why, HasSubstr("one student")))));
  EXPECT_THAT(result.look_at, Not(Contains(Field(&LookAt::id, "late"))));
}

TEST(Compose, a_grade_of_other_content_is_no_grade) {
  TakenClass taken;
  taken.students = {student("a")};
  Outcome old = graded("a", 70);
  old.content = "what was handed in before";
  EXPECT_EQ(compose(taken, {{"a", old}}, {}, rubric_with(0)).students[0].state, StudentState::waiting);
}

TEST(LatePolicy, takes_a_percentage_for_every_day_begun_after_the_grace_days) {
  EXPECT_EQ(late_deduction({10, 0, 100}, 80, 0), 0);
  EXPECT_EQ(late_deduction({10, 0, 100}, 80, 0.01), 8);
  EXPECT_EQ(late_deduction({10, 0, 100}, 80, 1), 8);
  EXPECT_EQ(late_deduction({10, 0, 100}, 80, 1.5), 16);
  EXPECT_EQ(late_deduction({10, 2, 100}, 80, 1.5), 0);
  EXPECT_EQ(late_deduction({10, 0, 30}, 80, 9), 24);
  EXPECT_EQ(late_deduction({0, 0, 100}, 80, 9), 0);
}

TEST(LatePolicy, leaves_the_graded_points_and_stands_on_its_own_line) {
  const StudentResult late = everything().students[2];
  EXPECT_EQ(late.points, 50);
  EXPECT_EQ(late.lateness.deduction, 10);
  EXPECT_EQ(late.final_points, 40);
  EXPECT_THAT(adjustments_of(late), Contains(HasSubstr("10 points deducted by the late policy")));
}

TEST(LatePolicy, late_by_an_unknown_time_costs_nothing_and_is_listed) {
  TakenClass taken;
  taken.students = {student("a")};
  taken.students[0].lateness.late = true;
  const ClassResult result = compose(taken, {{"a", graded("a", 70)}}, {}, rubric_with(10));
  EXPECT_EQ(result.students[0].final_points, 70);
  EXPECT_THAT(result.look_at, ElementsAre(Field(&LookAt::why, HasSubstr("late_days"))));
}

TEST(Corrections, add_before_the_late_policy_or_set_the_final_points) {
  TakenClass taken;
  taken.students = {student("a")};
  taken.students[0].lateness = {true, 1, 0};
  const auto corrected = [&](Correction correction) {
    return compose(taken, {{"a", graded("a", 70)}}, {{"a", std::move(correction)}}, rubric_with(10))
        .students[0];
  };
  EXPECT_EQ(corrected({10, true, "c", "b", "2026"}).final_points, 72);
  EXPECT_EQ(corrected({-90, true, "c", "b", "2026"}).final_points, 0);
  const StudentResult set = corrected({55, false, "oral exam", "ada", "2026-11-22T00:00:00Z"});
  EXPECT_EQ(set.final_points, 55);
  EXPECT_EQ(set.points, 70);
  EXPECT_THAT(adjustments_of(set),
              Contains(AllOf(HasSubstr("ada"), HasSubstr("oral exam"), HasSubstr("2026-11-22"))));
}

TEST(Corrections, are_decimal_numbers_in_every_file) {
  TakenClass taken;
  taken.students = {student("a"), student("b"), student("c")};
  taken.students[1].lateness = {true, 1, 0};
  const ClassResult result =
      compose(taken, {{"a", graded("a", 0.1)}, {"b", graded("b", 0.7)}, {"c", graded("c", 12345.67)}},
              {{"a", {0.2, true, "c", "b", "2026"}}, {"c", {-0.5, true, "c", "b", "2026"}}}, rubric_with(10));
  EXPECT_EQ(result.students[0].final_points, 0.3) << "and not 0.30000000000000004";
  EXPECT_EQ(result.students[1].lateness.deduction, 0.07) << "and not 0.06999999999999999";
  EXPECT_THAT(to_json(result),
              AllOf(HasSubstr("\"final_points\": 0.3,"), HasSubstr("\"final_points\": 0.63,")));
  const std::string csv = to_csv(result);
  EXPECT_THAT(csv, AllOf(HasSubstr(",0.2,yes,c,b,0.3,"), HasSubstr(",-0.5,yes,c,b,12345.17,")));
  EXPECT_THAT(adjustments_of(result.students[2]),
              ElementsAre(HasSubstr("-0.5 points"), HasSubstr("Final: 12345.17 of 100 points.")));
}

TEST(Doubt, names_open_points_of_other_reasons_than_a_missing_gpu) {
  Grade grade;
  const auto add = [&](const char* id, double open, CauseKind kind) {
    CheckResult check;
    check.id = id;
    check.open = open;
    check.causes = {make_cause(kind, "m")};
    grade.checks.push_back(check);
  };
  add("v07.fast", 1, CauseKind::no_gpu);
  EXPECT_EQ(doubt_of(grade), "");
  add("v07.clean", 2, CauseKind::unsupported);
  add("v08.fast", 1, CauseKind::noise);
  EXPECT_THAT(doubt_of(grade),
              AllOf(HasSubstr("3 points"), HasSubstr("unsupported (v07.clean)"), HasSubstr("noise")));
  EXPECT_THAT(doubt_of(grade), Not(HasSubstr("no_gpu")));
}

TEST(ClassJson, is_read_back_and_keeps_to_its_schema) {
  const ClassResult result = everything();
  const std::string text = to_json(result);
  EXPECT_EQ(against_schema(nlohmann::json::parse(text), "class"), "");
  const auto read = class_from_json(text);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), text);
  auto changed = nlohmann::json::parse(text);
  changed["students"][0]["state"] = "lost";
  EXPECT_NE(against_schema(changed, "class"), "");
  EXPECT_FALSE(class_from_json(changed.dump()));
}

TEST(GradesCsv, has_a_row_a_student_and_no_formula) {
  const std::string text = to_csv(everything());
  EXPECT_THAT(text, HasSubstr("good,good,,,,,graded,60,100,20,18,,,0,2,yes,neat,ada,62,"));
  EXPECT_THAT(text, HasSubstr("late,late,,,,,graded,50,100,0,0,yes,1.2,10,,,,,40,"));
  EXPECT_THAT(text, HasSubstr("'=cmd"));
  EXPECT_THAT(text, Not(HasSubstr(",=cmd")));
}

TEST(ClassPage, names_everybody_and_neutralises_markup) {
  ClassResult result = everything();
  result.students[1].id = "Zoë";
  const std::string page = to_html(result);
  EXPECT_THAT(page, HasSubstr("students/Zo%C3%AB/index.html"));
  EXPECT_THAT(page, HasSubstr("class&#x2F;notes.txt"));
  EXPECT_THAT(page, HasSubstr("alike.html"));
  EXPECT_THAT(page, Not(HasSubstr("<b>x</b>")));
  EXPECT_THAT(to_html(result.students[5], "reduction"),
              AllOf(HasSubstr("there is no version in it"), Not(HasSubstr("<b>"))));
}

TEST(ClassPage, and_those_of_students_and_pairs_are_well_formed) {
  ClassResult result = everything();
  result.students[1].person.name = "<b> & \"quotes\" \x1b[31m";
  const std::string bad = "</pre><script>alert(1)</script> \xff";
  for (const std::string& page : {to_html(result), to_html(ClassResult{}), to_html(result.students[5], bad),
                                  alike_to_html({{{bad, bad, bad, 0.75}, bad, bad}}, 2)}) {
    EXPECT_EQ(parse_document(page).error, "");
    EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
    EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  }
}

TEST(Pace, says_rate_rest_and_failures) {
  EXPECT_EQ(pace_text({10, 40, 1, 60}), "10.0 a minute, 3 min left, 1 without a grade");
  EXPECT_EQ(pace_text({}), "");
  EXPECT_EQ(bar_text({10, 40, 0, 60}), "[#####---------------]");
}

TEST(Pace, compares_the_time_with_what_limits_it) {
  ProgressFigures figures;
  figures.done = 12;
  figures.seconds = 44;
  figures.gpu_seconds = 30;
  figures.processor_seconds = 640;
  EXPECT_EQ(limits_text(figures, 1, 16),
            "at least 30.0 s to measure on the GPU, 40.0 s on 16 cores (640 s of processor time): took 1.10 "
            "times as long");
  EXPECT_EQ(limits_text(figures, 2, 64),
            "at least 15.0 s to measure on 2 GPUs, 10.0 s on 64 cores (640 s of processor time): took 2.93 "
            "times as long");
  EXPECT_EQ(limits_text(figures, 0, 16),
            "at least 40.0 s on 16 cores (640 s of processor time): took 1.10 times as long");
  EXPECT_EQ(limits_text({}, 1, 16), "");
}

}  // namespace
}  // namespace warpmark::classroom
