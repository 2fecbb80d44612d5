#include "harness/program_analysis/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::program_analysis {
namespace {

using Runs = std::vector<ProgramRun>;

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

ProgramRun run_of(std::uint64_t schedule, std::string output, int status = 0) {
  ProgramRun run;
  run.mode.schedule = schedule;
  run.output = std::move(output);
  run.ending.kind = sandbox::Ending::Kind::exited;
  run.ending.code = status;
  return run;
}

TEST(FirstDifference, is_the_number_of_a_line) {
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nb\nc\n", {}), 0U);
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nx\nc\n", {}), 2U);
  EXPECT_EQ(first_difference("a\n", "a\nb\n", {}), 2U);
  EXPECT_EQ(first_difference("", "a", {}), 1U);
}

TEST(FirstDifference, leaves_out_lines_that_differ_anyway) {
  EXPECT_EQ(first_difference("time 1\n5\n", "time 3\n5\n", {"time 1\n5\n", "time 2\n5\n"}), 0U);
  EXPECT_EQ(first_difference("time 1\n5\n", "time 3\n6\n", {"time 1\n5\n", "time 2\n5\n"}), 2U);
}

TEST(Answers, are_compared_by_output_and_status) {
  EXPECT_FALSE(answers_differ({run_of(0, "5\n"), run_of(1, "5\n")}));
  EXPECT_TRUE(answers_differ({run_of(0, "5\n"), run_of(1, "6\n")}));
  EXPECT_TRUE(answers_differ({run_of(0, "5\n"), run_of(1, "5\n", 1)}));
}

TEST(Answers, that_differ_in_text_are_a_note) {
  const Runs controls{run_of(0, "5\n"), run_of(0, "5\n")};
  const auto findings = compare_answers({run_of(0, "5\n"), run_of(1, "6\n"), run_of(2, "7\n")}, controls);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(findings[0].note);
  EXPECT_THAT(findings[0].message,
              AllOf(HasSubstr("line 1"), HasSubstr("\"5\""), HasSubstr("\"6\""), HasSubstr("seed 1")));
}

TEST(Answers, that_differ_when_optimised_name_the_compiler) {
  const Runs controls{run_of(0, "5\n"), run_of(0, "5\n")};
  ProgramRun optimised = run_of(0, "6\n");
  optimised.mode.checking = false;
  const auto findings = compare_answers({run_of(0, "5\n"), optimised}, controls);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("must not depend on how the compiler optimises it"));
}

TEST(Answers, that_differ_in_status_are_an_error) {
  const Runs controls{run_of(0, "5\n"), run_of(0, "5\n")};
  const auto findings = compare_answers({run_of(0, "5\n"), run_of(1, "5\n", 1)}, controls);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_FALSE(findings[0].note);
  // Equal runs that end differently say nothing about the order.
  EXPECT_THAT(
      compare_answers({run_of(0, "5\n"), run_of(1, "5\n", 1)}, {run_of(0, "5\n"), run_of(0, "5\n", 1)}),
      IsEmpty());
}

TEST(FirstDifference, leaves_out_what_is_measured) {
  EXPECT_EQ(first_difference("0.52 Mtexels/sec\n", "0.61 Mtexels/sec\n", {}), 0U);
  EXPECT_EQ(first_difference("took 5.1 ms (3 GFLOPS), 8 GB/s\n", "took 12 ms (2.5 GFLOPS), 7 GB/s\n", {}),
            0U);
  EXPECT_EQ(first_difference("sum 5 in 3 ms\n", "sum 6 in 3 ms\n", {}), 1U);
  EXPECT_EQ(first_difference("5 mistakes\n", "6 mistakes\n", {}), 1U);
}

TEST(Answers, that_differ_between_equal_runs_are_no_finding) {
  EXPECT_THAT(compare_answers({run_of(0, "5\n"), run_of(0, "6\n"), run_of(1, "6\n")},
                              {run_of(0, "5\n"), run_of(0, "5\n")}),
              IsEmpty());
}

TEST(Answers, of_times_are_no_finding) {
  EXPECT_THAT(
      compare_answers({run_of(0, "1 ms\n"), run_of(1, "2 ms\n")}, {run_of(0, "3 ms\n"), run_of(0, "4 ms\n")}),
      IsEmpty());
}

}  // namespace
}  // namespace warpmark::program_analysis
