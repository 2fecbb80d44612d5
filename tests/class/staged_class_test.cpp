// Staged help in a class: the student's files lack what is hidden, the instructor's have it.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/class/journal/journal.h"
#include "harness/class/run/files.h"
#include "harness/class/run/tally.h"
#include "harness/judge/rules/rubric.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kRemedy = "REMEDY-WORDS";

std::string rules_with(const std::string& feedback) {
  return R"(title = "Sums"
contract = "sums.h"
types = ["int"]

[points]
builds = 1
correct = 4

[correct]
sizes = [0, 1]

)" + feedback +
         R"(
[[version]]
name = "v01"
checks = ["builds", "correct"]
)";
}

std::string error_of(const std::string& feedback) {
  const auto rubric = judge::parse_rubric(rules_with(feedback), "assignment.toml", "sums");
  return rubric ? "" : rubric.error().message;
}

TEST(StagedRules, are_read) {
  const auto rubric = judge::parse_rubric(
      rules_with("[feedback]\nshows = \"cause\"\nuntil = \"2026-12-01T00:00:00Z\"\nattempts = 3\n"
                 "[feedback.work]\nshows = \"line\"\n"),
      "assignment.toml", "sums");
  ASSERT_TRUE(rubric) << rubric.error().message;
  const HelpRules& help = rubric->help;
  EXPECT_TRUE(help.given);
  EXPECT_EQ(help.rule_for("correct").shows, Shown::cause);
  EXPECT_EQ(help.rule_for("work").shows, Shown::line);
  EXPECT_EQ(help.rule_for("work").attempts, 3U) << "a check's table inherits";
  EXPECT_EQ(help.rule_for("work").until, help.all.until);
  EXPECT_FALSE(judge::parse_rubric(rules_with(""), "assignment.toml", "sums")->help.given);
}

TEST(StagedRules, a_wrong_value_is_reported_with_its_line_and_what_to_write) {
  EXPECT_EQ(error_of("[feedback]\nshows = \"lines\"\n"),
            "assignment.toml:13: feedback.shows is \"lines\"; use one of verdict, cause, line, remedy");
  EXPECT_EQ(error_of("[feedback]\nshows = \"line\"\nuntil = \"tomorrow\"\n"),
            "assignment.toml:14: feedback.until is \"tomorrow\"; write date, time and zone: "
            "\"2026-12-01T23:59:00+01:00\"");
  EXPECT_THAT(error_of("[feedback]\nshows = \"line\"\nattempts = 1\n"),
              StartsWith("assignment.toml:14: feedback.attempts is 1; use 2 or more"));
  EXPECT_THAT(error_of("[feedback]\nuntil = \"2026-12-01T00:00:00Z\"\n"),
              HasSubstr("feedback.shows is missing"));
  EXPECT_THAT(error_of("[feedback]\nshows = \"line\"\n[feedback.builds]\nshows = \"cause\"\n"),
              HasSubstr("feedback.builds cannot be staged"));
  EXPECT_THAT(error_of("[feedback]\nshows = \"line\"\n[feedback.corect]\nshows = \"cause\"\n"),
              HasSubstr("feedback.corect is not known here"));
}

class StagedClass : public testing::Test {
 protected:
  StagedClass() {
    Grade grade;
    grade.assignment = "sums";
    CheckResult check;
    check.id = "sums.v01.correct";
    check.version = "v01";
    check.check = "correct";
    check.verdict = Verdict::failed;
    check.causes = {make_cause(CauseKind::race, std::string(kRemedy), "v01.cu")};
    grade.checks = {check};
    stored = to_json(grade);
    student.id = "ada";
    student.state = StudentState::graded;
    student.grade = "students/ada/grade.json";
    help.given = true;
    help.all.shows = Shown::cause;
  }

  void show(const Sight& sight) const { write_student(out, student, "sums", stored, help, sight); }
  // Returns whether any file below the folder has the words.
  bool has_words(const std::string& place, std::string_view words) const {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(out / place)) {
      if (entry.is_regular_file() && read_file(entry.path()).value_or("").find(words) != std::string::npos)
        return true;
    }
    return false;
  }

  const TemporaryFolder folder;
  const fs::path out = folder.path() / "out";
  std::string stored;
  StudentResult student;
  HelpRules help;
};

TEST_F(StagedClass, the_students_folder_lacks_what_is_hidden_and_the_instructors_has_it) {
  show({0, 1});
  EXPECT_FALSE(has_words("students", kRemedy));
  EXPECT_TRUE(has_words("students", hint_for(CauseKind::race).question));
  EXPECT_TRUE(has_words("instructor/ada", kRemedy));
}

TEST_F(StagedClass, the_page_changes_with_the_attempt_and_when_help_is_no_longer_staged) {
  help.all.attempts = 2;
  show({0, 1});
  EXPECT_FALSE(has_words("students", kRemedy));
  show({0, 2});
  EXPECT_TRUE(has_words("students", kRemedy));
  help = {};
  show({0, 1});
  EXPECT_TRUE(has_words("students", kRemedy));
  EXPECT_FALSE(fs::exists(out / "instructor/ada"));
}

TEST_F(StagedClass, the_instructors_table_of_causes_is_made_from_whole_grades) {
  help.all.shows = Shown::verdict;
  show({0, 1});
  ClassResult result;
  result.students = {student};
  result.staged = true;
  result = write_class(out, result, {});
  ASSERT_EQ(result.causes.size(), 1U);
  EXPECT_EQ(result.causes[0].kind, CauseKind::race);
  EXPECT_THAT(read_file(out / "index.html").value_or(""), HasSubstr("instructor/ada/index.html"));
  EXPECT_FALSE(has_words("students", kRemedy));
}

TEST_F(StagedClass, attempts_are_different_contents_and_survive) {
  fs::create_directories(out);
  Taken taken;
  taken.id = "ada";
  {
    Journal journal = std::move(Journal::open(out).value());
    EXPECT_EQ(sight_of(journal, taken).attempts, 1U);
    for (const char* content : {"one", "two", "two", "one"}) {
      Outcome outcome;
      outcome.content = content;
      journal.set_outcome(Shelf::current, "ada", outcome);
    }
    Outcome other;
    other.content = "three";
    journal.set_outcome(Shelf::shadow, "ada", other);
  }
  const Journal journal = std::move(Journal::open(out).value());
  EXPECT_EQ(sight_of(journal, taken).attempts, 2U);
  taken.attempts = 5;
  EXPECT_EQ(sight_of(journal, taken).attempts, 5U) << "the roster's";
}

}  // namespace
}  // namespace warpmark::classroom
