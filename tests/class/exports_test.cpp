#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/class/exports/platforms.h"
#include "harness/class/run/results.h"
#include "reports/formats/autograders.h"

namespace warpmark::classroom {
namespace {

using nlohmann::json;
using testing::HasSubstr;

StudentResult student(const std::string& id, Person person, double points) {
  StudentResult each;
  each.id = id;
  each.person = std::move(person);
  each.state = StudentState::graded;
  each.points = points;
  each.final_points = points;
  each.possible = 100;
  return each;
}

ClassResult sample_class() {
  ClassResult result;
  result.assignment = "reduction";
  result.possible = 100;
  result.students = {student("Doe", {"doejohn", "101", "", "", ""}, 74.5),
                     student("Roe", {"roejane", "102", "", "jroe", ""}, 60)};
  StudentResult missing = student("Zed", {"Zed", "103", "", "", ""}, 0);
  missing.state = StudentState::missing;
  missing.cause = StudentCause{"missing", "handed in nothing"};
  result.students.push_back(missing);
  return result;
}

Grade sample() {
  Grade grade;
  grade.assignment = "reduction";
  grade.score = {3, 10, 2, 2};
  grade.exit_status = 1;
  grade.seconds = 1.5;
  const auto add = [&](const char* id, Verdict verdict, double points, double possible, double open) {
    CheckResult check;
    check.id = id;
    check.check = "correct";
    check.verdict = verdict;
    check.points = points;
    check.possible = possible;
    check.open = open;
    if (verdict != Verdict::passed) {
      Cause cause =
          make_cause(open > 0 ? CauseKind::no_gpu : CauseKind::wrong_sum, "<script>bad</script>", "v07.cu");
      cause.line = 31;
      check.causes = {cause};
    }
    grade.checks.push_back(check);
  };
  add("reduction.v06.correct", Verdict::passed, 3, 3, 0);
  add("reduction.v07.correct", Verdict::failed, 0, 5, 0);
  add("reduction.v07.fast", Verdict::not_run, 0, 2, 2);
  return grade;
}

Csv csv_of(const std::string& text) {
  return parse_csv(text).value();
}

TEST(Gradescope, has_a_test_a_check_and_open_points_without_a_score) {
  const json results = json::parse(gradescope_results(sample(), nullptr));
  EXPECT_EQ(results.at("score"), 3);
  const json& tests = results.at("tests");
  ASSERT_EQ(tests.size(), 4U);
  EXPECT_EQ(tests[0].at("status"), "passed");
  EXPECT_EQ(tests[0].at("max_score"), 3);
  EXPECT_EQ(tests[1].at("status"), "failed");
  EXPECT_FALSE(tests[2].contains("score"));
  EXPECT_EQ(tests[3].at("name"), "open points");
  // The platform's own words: what is not among them it refuses.
  for (const json& test : tests) {
    EXPECT_EQ(test.at("output_format"), "text");
    EXPECT_EQ(test.at("visibility"), "visible");
    for (const auto& item : test.items())
      EXPECT_THAT((std::vector<std::string>{"score", "max_score", "status", "name", "number", "output",
                                            "output_format", "tags", "visibility"}),
                  testing::Contains(item.key()));
  }
}

TEST(Gradescope, shows_final_points_and_adjustments_of_a_class) {
  StudentResult late = student("a", {"A", "", "", "", ""}, 3);
  late.lateness = {true, 1.0, 1};
  late.final_points = 2;
  const Adjusted adjusted{late.final_points, adjustments_of(late)};
  const json results = json::parse(gradescope_results(sample(), &adjusted));
  EXPECT_EQ(results.at("score"), 2);
  EXPECT_THAT(results.at("tests")[4].at("output").get<std::string>(), HasSubstr("late policy"));
}

TEST(GitHubClassroom, result_is_what_its_reporter_reads) {
  const json result = json::parse(classroom_result(sample(), nullptr));
  EXPECT_EQ(result.at("version"), 1);
  EXPECT_EQ(result.at("status"), "fail");
  EXPECT_EQ(result.at("max_score"), 10);
  ASSERT_EQ(result.at("tests").size(), 3U);
  EXPECT_EQ(result.at("tests")[1].at("filename"), "v07.cu");
  EXPECT_EQ(result.at("tests")[1].at("line_no"), 31);
  EXPECT_EQ(result.at("tests")[0].at("status"), "pass");
}

TEST(Base64, is_that_of_rfc_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

constexpr const char* kGradebook =
    "Student,ID,SIS User ID,SIS Login ID,Section,Reduction (1234),Other (5),Final Score\r\n"
    "    Points Possible,,,,,100,10,(read only)\r\n"
    "\"Doe, John\",101,,,A,,9,\"1,0\"\r\n"
    "\"Roe, Jane\",,,jroe,A,5,,\r\n"
    "\"Who, Else\",999,,,A,,,\r\n"
    "\"Student, Test\",77,,,A,,,\r\n";

TEST(Canvas, fills_one_column_and_changes_no_other_byte) {
  const auto filled = fill_canvas(csv_of(kGradebook), sample_class(), "Reduction (1234)");
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_EQ(filled->filled, 2U);
  std::string wanted = kGradebook;
  wanted.replace(wanted.find("A,,9"), 4, "A,74.5,9");
  wanted.replace(wanted.find("A,5,"), 4, "A,60,");
  EXPECT_EQ(to_text(filled->csv), wanted);
  EXPECT_EQ(filled->left_alone.size(), 2U);
}

TEST(Canvas, asks_which_column_and_refuses_other_points) {
  const auto several = fill_canvas(csv_of(kGradebook), sample_class(), "");
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("Reduction (1234), Other (5)"));
  const auto other = fill_canvas(csv_of(kGradebook), sample_class(), "Other (5)");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("a maximum of 10 points in Canvas"));
  EXPECT_FALSE(fill_canvas(csv_of(kGradebook), sample_class(), "Reduction"));
  EXPECT_FALSE(fill_canvas(csv_of("a,b\n1,2\n"), sample_class(), ""));
}

TEST(Canvas, a_student_without_a_grade_keeps_the_cell) {
  const auto filled = fill_canvas(csv_of("Student,ID,Reduction (1)\nZed,103,old\n"), sample_class(), "");
  ASSERT_TRUE(filled);
  EXPECT_EQ(to_text(filled->csv), "Student,ID,Reduction (1)\nZed,103,old\n");
  EXPECT_THAT(filled->left_alone, testing::Contains(HasSubstr("handed in nothing")));
}

// As Canvas exports it: a byte order mark, lines of Windows, a row on manual posting before the points.
constexpr const char* kCanvasExport =
    "\xEF\xBB\xBFStudent,ID,SIS User ID,SIS Login ID,Section,\"Lab 1, Reduction (88)\",Quiz (9),Current "
    "Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,100.00,5.00,(read only)\r\n"
    "\"Doe, John\",101,s-1,jdoe,\"A and B\",\"\",4.50,\"90.00\"\r\n"
    "\"Roe, Jane\",102,s-2,jroe,A,EX,,\r\n"
    "\"Zed\",103,s-3,zed,A,,,\r\n";

TEST(Canvas, fills_a_real_export_and_leaves_who_is_excused_or_without_a_grade) {
  ClassResult result = sample_class();
  result.students[0].final_points = 74.1 + 0.2;
  const auto filled = fill_canvas(csv_of(kCanvasExport), result, "Lab 1, Reduction (88)");
  ASSERT_TRUE(filled) << filled.error().message;
  std::string wanted = kCanvasExport;
  wanted.replace(wanted.find("\"\",4.50"), 2, "\"74.3\"");
  EXPECT_EQ(to_text(filled->csv), wanted);
  EXPECT_EQ(filled->filled, 1U);
  EXPECT_THAT(filled->left_alone,
              testing::ElementsAre(HasSubstr("excused (EX) in the file, and has 60 points"),
                                   HasSubstr("handed in nothing")));
}

TEST(Canvas, writes_a_zero_for_a_grade_of_zero_and_nothing_for_none) {
  ClassResult result = sample_class();
  result.students[0].final_points = 0;
  const auto filled = fill_canvas(csv_of("Student,ID,Section,L (1)\nJ,101,A,\nZed,103,A,\n"), result, "");
  ASSERT_TRUE(filled);
  EXPECT_EQ(to_text(filled->csv), "Student,ID,Section,L (1)\nJ,101,A,0\nZed,103,A,\n");
}

TEST(Canvas, reads_the_files_of_courses_with_semicolons_commas_and_split_names) {
  const std::string german =
      "LastName;FirstName;ID;Section;L (1)\n    Points Possible;;;;100,00\nDoe;John;;A;7,5\n";
  ClassResult result = sample_class();
  result.students[0].person.name = "John Doe";
  const auto filled = fill_canvas(csv_of(german), result, "");
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(to_text(filled->csv), HasSubstr("Doe;John;;A;74.5\n"));
  result.possible = 50;
  EXPECT_THAT(fill_canvas(csv_of(german), result, "").error().message,
              HasSubstr("a maximum of 100 points in Canvas"));
}

TEST(Canvas, refuses_a_column_that_it_does_not_import) {
  const auto filled = fill_canvas(csv_of(kCanvasExport), sample_class(), "Current Score");
  ASSERT_FALSE(filled);
  EXPECT_THAT(filled.error().message, HasSubstr("read only"));
}

TEST(Moodle, holds_the_points_of_a_worksheet_with_decimal_commas_against_the_class) {
  const std::string worksheet =
      "\xEF\xBB\xBFID,\"Vollständiger Name\",E-Mail-Adresse,Status,Bewertung,\"Höchste "
      "Bewertung\",\"Bewertung kann "
      "geändert werden\"\r\n\"Teilnehmer/in101\",\"John Doe\",j@x.de,,\"3,00\",\"100,00\",Ja\r\n";
  ClassResult result = sample_class();
  const auto filled = fill_moodle(csv_of(worksheet), result, "Bewertung");
  ASSERT_TRUE(filled) << filled.error().message;
  std::string wanted = worksheet;
  wanted.replace(wanted.find("\"3,00\""), 6, "\"74.5\"");
  EXPECT_EQ(to_text(filled->csv), wanted) << "with a point, which Moodle reads in every language";
  result.possible = 50;
  EXPECT_THAT(fill_moodle(csv_of(worksheet), result, "Bewertung").error().message,
              HasSubstr("a maximum of 100 points in Moodle"));
}

TEST(Moodle, fills_a_gradebook_by_names_and_never_takes_a_name_for_a_number) {
  const std::string gradebook =
      "Vorname,Nachname,ID-Nummer,E-Mail-Adresse,\"Aufgabe: Reduktion (Real)\"\n"
      "Jo101,Other,,o@x.de,-\nJane,Roe,,r@x.de,-\n";
  ClassResult result = sample_class();
  result.students[1].person.name = "Jane Roe";
  const auto filled = fill_moodle(csv_of(gradebook), result, "Aufgabe: Reduktion (Real)");
  ASSERT_TRUE(filled) << filled.error().message;
  EXPECT_THAT(to_text(filled->csv), HasSubstr("Jo101,Other,,o@x.de,-\nJane,Roe,,r@x.de,60\n"));
}

TEST(Moodle, leaves_what_it_would_skip_and_refuses_percentages) {
  ClassResult result = sample_class();
  result.students[0].final_points = 104;
  const auto filled = fill_moodle(csv_of("Identifier,Grade\nParticipant 101,\n"), result, "");
  ASSERT_TRUE(filled);
  EXPECT_EQ(filled->filled, 0U);
  EXPECT_THAT(filled->left_alone, testing::Contains(HasSubstr("has 104 points, and the platform skips")));
  EXPECT_THAT(fill_moodle(csv_of("Identifier,P\nParticipant 101,\"74,50 %\"\n"), result, "P").error().message,
              HasSubstr("percentages"));
}

TEST(Moodle, fills_the_worksheet_of_any_language) {
  const char* worksheet =
      "\xEF\xBB\xBFIdentifikator,\"Vollständiger Name\",Bewertung,\"Höchste Bewertung\"\n"
      "\"Teilnehmer/in 101\",\"John Doe\",,\"100.00\"\n\"Teilnehmer/in 1020\",Nobody,3,\"100.00\"\n";
  EXPECT_THAT(fill_moodle(csv_of(worksheet), sample_class(), "").error().message, HasSubstr("--column"));
  const auto filled = fill_moodle(csv_of(worksheet), sample_class(), "Bewertung");
  ASSERT_TRUE(filled) << filled.error().message;
  std::string wanted = worksheet;
  wanted.replace(wanted.find("Doe\",,"), 6, "Doe\",74.5,");
  EXPECT_EQ(to_text(filled->csv), wanted);
}

TEST(ChecksCsv, has_a_row_a_check) {
  EXPECT_THAT(
      checks_csv(sample()),
      HasSubstr("reduction.v07.correct,,failed,0,5,0,wrong_sum,<script>bad</script>,v07.cu,31,0\r\n"));
}

}  // namespace
}  // namespace warpmark::classroom
