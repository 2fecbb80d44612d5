// A mutant counts as explained only if the first cause on the page names its line, or its kind of mistake.
#include "harness/assignment_check/feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/assignment/reports.h"

namespace warpmark::assignment_check {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

source_edits::Mutant barrier_dropped() {
  source_edits::Mutant mutant;
  mutant.version = "v01";
  mutant.file = "v01.cu";
  mutant.kind = "barrier";
  mutant.line = 20;
  return mutant;
}

Cause cause_at(CauseKind kind, int line, const std::string& message = "a message") {
  Cause cause = make_cause(kind, message, "v01.cu");
  cause.line = line;
  return cause;
}

FeedbackMutant seen_of(const std::vector<Cause>& causes,
                       const source_edits::Mutant& mutant = barrier_dropped()) {
  Grade grade;
  CheckResult check;
  check.id = "a.v01.correct";
  check.version = "v01";
  check.check = "correct";
  check.verdict = Verdict::failed;
  check.causes = causes;
  grade.checks = {check};
  return first_seen(grade, mutant).value();
}

TEST(Feedback, a_wrong_line_does_not_count) {
  EXPECT_TRUE(names_line(seen_of({cause_at(CauseKind::race, 18)})));
  EXPECT_TRUE(names_line(seen_of({cause_at(CauseKind::race, 22)})));
  EXPECT_FALSE(names_line(seen_of({cause_at(CauseKind::race, 23)})));
  EXPECT_FALSE(names_line(seen_of({cause_at(CauseKind::race, 0)})));
  Cause elsewhere = cause_at(CauseKind::race, 20);
  elsewhere.file = "helpers.h";
  EXPECT_FALSE(names_line(seen_of({elsewhere})));
}

TEST(Feedback, the_other_line_of_a_conflict_counts_as_well) {
  Cause cause = cause_at(CauseKind::race, 30);
  cause.other_line = 19;
  EXPECT_TRUE(names_line(seen_of({cause})));
  cause.other_line = 0;
  cause.accesses = {{"thread (0,0,0)", "shared[0]", 30, true}, {"thread (32,0,0)", "shared[0]", 21, false}};
  EXPECT_TRUE(names_line(seen_of({cause})));
}

TEST(Feedback, a_caller_in_the_text_counts_as_well) {
  EXPECT_TRUE(names_line(
      seen_of({cause_at(CauseKind::race, 40, "at line 40, called from v01.cu:20, from v01.cu:50")})));
  EXPECT_FALSE(names_line(seen_of({cause_at(CauseKind::race, 40, "at line 40, called from v01.cu:50")})));
  EXPECT_FALSE(names_line(seen_of({cause_at(CauseKind::race, 40, "called from v02.cu:20")})));
}

// The page shows a line that the simulator found before one that the judge guessed.
TEST(Feedback, only_the_first_cause_on_the_page_counts) {
  const Cause guessed = cause_at(CauseKind::wrong_output, 20, "a barrier is missing");
  EXPECT_TRUE(names_line(seen_of({guessed})));
  EXPECT_FALSE(names_line(seen_of({guessed, cause_at(CauseKind::out_of_bounds, 40)})));
  EXPECT_EQ(seen_of({guessed, cause_at(CauseKind::out_of_bounds, 40)}).cause, "out_of_bounds");
  Cause cured = guessed;
  cured.cured_by_change = true;
  EXPECT_EQ(seen_of({cured, cause_at(CauseKind::out_of_bounds, 40)}).cause, "wrong_output")
      << "a change that cures the failure is the root of what else was found";
}

TEST(Feedback, a_kind_is_named_by_the_cause_or_in_words_but_not_by_a_symptom) {
  EXPECT_TRUE(names_kind(seen_of({cause_at(CauseKind::race, 0)})));
  EXPECT_TRUE(names_kind(seen_of({cause_at(CauseKind::wrong_output, 0, "A barrier is missing")})));
  EXPECT_FALSE(names_kind(seen_of({cause_at(CauseKind::wrong_output, 0, "values[0] is wrong")})));
  source_edits::Mutant other = barrier_dropped();
  other.kind = "axis";
  EXPECT_FALSE(names_kind(seen_of({cause_at(CauseKind::race, 0)}, other)));
  other.kind = "stride";
  EXPECT_FALSE(names_kind(seen_of({cause_at(CauseKind::wrong_output, 0, "grid_stride ran")}, other)));
  // Advice that names all that may be wrong names nothing.
  EXPECT_FALSE(
      names_kind(seen_of({cause_at(CauseKind::wrong_output, 0, "look at bounds and strides")}, other)));
  EXPECT_TRUE(
      names_kind(seen_of({cause_at(CauseKind::wrong_output, 0, "with another step of the loop")}, other)));
  EXPECT_FALSE(names_kind(
      seen_of({cause_at(CauseKind::wrong_output, 0, "line 9 tests `i < step of the loop`")}, other)))
      << "what is quoted of the source";
}

TEST(Feedback, a_version_that_passes_has_no_first_cause) {
  Grade grade;
  CheckResult check;
  check.version = "v01";
  check.verdict = Verdict::passed;
  grade.checks = {check};
  EXPECT_FALSE(first_seen(grade, barrier_dropped()));
}

TEST(Feedback, every_operator_has_causes_that_name_it) {
  for (const source_edits::Operator& each : source_edits::operators())
    EXPECT_TRUE(has_naming(each.name)) << each.name;
}

TEST(Feedback, the_table_begins_with_what_is_explained_worst_and_reads_back) {
  FeedbackReport report;
  report.assignment = "a";
  source_edits::Mutant axis = barrier_dropped();
  axis.kind = "axis";
  report.mutants = {seen_of({cause_at(CauseKind::race, 20)}), seen_of({cause_at(CauseKind::race, 40)}, axis)};
  const auto read = feedback_from_json(to_json(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(report));
  std::vector<std::string> kinds;
  for (const FeedbackCount& count : counts_by_kind(read->mutants)) kinds.push_back(count.kind);
  EXPECT_THAT(kinds, ElementsAre("axis", "barrier"));
  EXPECT_THAT(
      to_markdown({*read}),
      testing::AllOf(HasSubstr("| a | 2 | 1 (50 %) | 1 (50 %) | 1 (50 %) |"),
                     HasSubstr("| axis | 1 | 0 (0 %) | 0 (0 %) | 0 (0 %) |\n| barrier | 1 | 1 (100 %)")));
}

}  // namespace
}  // namespace warpmark::assignment_check
