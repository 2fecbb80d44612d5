#include "tests/mistakes/mistake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::mistakes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::map<std::string, std::string> kFiles{{"a.cu", "first\nload();\nstore();\n"}, {"b.h", "add();\n"}};

Result<std::vector<Mistake>> read(const std::string& table) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder.path() / "bounds.toml", table));
  return read_mistakes(folder.path() / "bounds.toml");
}

Wanted race_between_load_and_store() {
  Expectation expectation;
  expectation.cause = "race";
  expectation.lines = {"load()"};
  expectation.other_line = "store()";
  expectation.words = {"__syncthreads"};
  expectation.never = {"atomicAdd"};
  expectation.also = {"wrong_sum"};
  return *wanted_in(kFiles, expectation);
}

Cause cause_at(CauseKind kind, int line, int other_line, const std::string& message) {
  Cause cause = make_cause(kind, message, "a.cu");
  cause.line = line;
  cause.other_line = other_line;
  return cause;
}

Grade grade_with(std::vector<Cause> causes, const std::string& check = "clean") {
  CheckResult result;
  result.id = "reduction.a." + check;
  result.check = check;
  result.verdict = Verdict::failed;
  result.causes = std::move(causes);
  Grade grade;
  grade.checks = {result};
  return grade;
}

const Cause kRace = cause_at(CauseKind::race, 2, 3, "put a __syncthreads() between");

TEST(Table, gives_mistakes_the_name_of_its_file) {
  const auto mistakes = read(
      "[[case]]\nname = \"less\"\nsource = \"reduction/v07_tree.cu\"\nold = \"a\"\nnew = \"b\"\n"
      "cause = \"race\"\nline = \"b\"\nwords = [\"c\"]\n[case.gpu]\nwords = [\"d\"]\n");
  ASSERT_TRUE(mistakes) << mistakes.error().message;
  const Mistake& mistake = mistakes->front();
  EXPECT_EQ(mistake.name, "bounds_less");
  EXPECT_EQ(mistake.edits.version, "v07_tree");
  EXPECT_EQ(mistake.edits.assignment(), "reduction");
  EXPECT_THAT(mistake.simulator.lines, ElementsAre("b"));
  EXPECT_THAT(mistake.simulator.words, ElementsAre("c"));
  EXPECT_THAT(mistake.gpu.words, ElementsAre("d"));
  EXPECT_EQ(mistake.gpu.cause, "race");
}

TEST(Table, refuses_what_it_does_not_know_and_misses_what_it_needs) {
  const std::string whole = "[[case]]\nname = \"x\"\nsource = \"f\"\nold = \"a\"\ncause = \"race\"\n";
  EXPECT_THAT(read(whole + "words = [\"c\"]\nlines = \"b\"\n").error().message,
              HasSubstr("unknown member lines"));
  EXPECT_THAT(read(whole).error().message, HasSubstr("cause and words are needed"));
  EXPECT_THAT(
      read("[[right]]\nname = \"x\"\nsource = \"f\"\nold = \"a\"\ncause = \"race\"\n").error().message,
      HasSubstr("what is right has no cause"));
}

TEST(Complaints, are_none_about_the_right_cause_in_either_order_of_its_lines) {
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({kRace})), IsEmpty());
  const Cause swapped = cause_at(CauseKind::race, 3, 2, "__syncthreads");
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({swapped})), IsEmpty());
}

TEST(Complaints, name_a_cause_that_is_missing_or_elsewhere) {
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({})), ElementsAre("no race at a.cu:2"));
  const Cause elsewhere = cause_at(CauseKind::race, 1, 3, "__syncthreads");
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({elsewhere})),
              ElementsAre("no race at a.cu:2", "race at a.cu:1 and 3 is not the mistake"));
}

TEST(Complaints, name_words_that_are_missing_and_advice_that_does_not_help) {
  const Cause other = cause_at(CauseKind::race, 2, 3, "use atomicAdd");
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({other})),
              ElementsAre("race at a.cu:2 and 3 does not say `__syncthreads`",
                          "race at a.cu:2 and 3 says `atomicAdd`, which does not help"));
}

TEST(Complaints, name_what_stands_before_or_beside_it) {
  const Cause wrong_sum = cause_at(CauseKind::wrong_sum, 0, 0, "");
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({kRace, wrong_sum})), IsEmpty());
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({wrong_sum, kRace})),
              ElementsAre("race at a.cu:2 and 3 stands behind another cause"));
  const Cause deadlock = cause_at(CauseKind::deadlock, 1, 0, "");
  EXPECT_THAT(complaints(race_between_load_and_store(), grade_with({kRace, deadlock})),
              ElementsAre("deadlock at a.cu:1 is not the mistake"));
}

TEST(Complaints, name_every_cause_where_nothing_is_wrong) {
  Expectation nothing;
  nothing.also = {"same_word_store"};
  const Wanted wanted = *wanted_in(kFiles, nothing);
  EXPECT_THAT(complaints(wanted, grade_with({cause_at(CauseKind::same_word_store, 2, 0, "")})), IsEmpty());
  EXPECT_THAT(complaints(wanted, grade_with({kRace})),
              ElementsAre("race at a.cu:2 and 3 is not the mistake"));
}

TEST(Complaints, leave_out_checks_of_speed) {
  Grade grade = grade_with({kRace});
  grade.checks.push_back(grade_with({cause_at(CauseKind::too_slow, 0, 0, "")}, "fast").checks.front());
  EXPECT_THAT(complaints(race_between_load_and_store(), grade), IsEmpty());
}

TEST(Complaints, take_a_line_of_a_helper_that_names_its_caller) {
  Expectation expectation;
  expectation.cause = "uninitialised_read";
  expectation.lines = {"load()"};
  expectation.helpers = {"add()"};
  const Wanted wanted = *wanted_in(kFiles, expectation);
  Cause cause = make_cause(CauseKind::uninitialised_read, "called from a.cu:2", "b.h");
  cause.line = 1;
  EXPECT_THAT(complaints(wanted, grade_with({cause})), IsEmpty());
  cause.message = "called from a.cu:3";
  EXPECT_THAT(
      complaints(wanted, grade_with({cause})),
      ElementsAre("no uninitialised_read at a.cu:2", "uninitialised_read at b.h:1 is not the mistake"));
}

TEST(Complaints, allow_beside_it_what_a_gpu_made_of_it) {
  Grade grade = grade_with({kRace});
  grade.checks.push_back(grade_with({cause_at(CauseKind::cuda_error, 0, 0, "")}, "correct").checks.front());
  EXPECT_THAT(complaints(race_between_load_and_store(), grade),
              ElementsAre("cuda_error at a.cu:0 is not the mistake"));
  grade.checks.back().engine = Engine::gpu;
  EXPECT_THAT(complaints(race_between_load_and_store(), grade), IsEmpty());
}

}  // namespace
}  // namespace warpmark::mistakes
