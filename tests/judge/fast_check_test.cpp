#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Fast : public FakeChecks {
 protected:
  // A threshold of 4 over a naive kernel; both behave as named.
  [[nodiscard]] FastOutcome timed(const std::string& student, const std::string& naive = "time:8.0") const {
    VersionRule rule;
    rule.name = "v";
    rule.speedup = 4;
    return check_fast(bench(), rule, built(student, Engine::gpu), built(naive, Engine::gpu), "/fake/sweep");
  }
  [[nodiscard]] std::vector<std::string> kinds_of(const std::string& student,
                                                  const std::string& naive = "time:8.0") const {
    return kinds(timed(student, naive).outcome.causes);
  }
};

TEST_F(Fast, a_version_that_reaches_the_threshold_passes) {
  EXPECT_THAT(kinds_of("time:1.99"), IsEmpty());
  EXPECT_THAT(kinds_of("time:0.5"), IsEmpty());
}

TEST_F(Fast, a_version_below_the_threshold_fails_with_both_times) {
  const auto outcome = timed("time:2.5");
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("too_slow"));
  const Cause& cause = outcome.outcome.causes.front();
  EXPECT_THAT(cause.message, AllOf(HasSubstr("3.20"), HasSubstr("2.5"), HasSubstr("8.0")));
  EXPECT_EQ(cause.expected, "4 times");
  EXPECT_EQ(cause.actual, "3.20 times");
  EXPECT_EQ(cause.file, "v.cu");
}

TEST_F(Fast, keeps_every_round) {
  const auto outcome = timed("time:2.0");
  ASSERT_TRUE(outcome.measurement);
  EXPECT_EQ(outcome.measurement->version, "v");
  EXPECT_EQ(outcome.measurement->n, 1000U);
  EXPECT_EQ(outcome.measurement->threshold, 4);
  EXPECT_NEAR(outcome.measurement->speedup, 4, 1e-9);
  EXPECT_THAT(outcome.measurement->naive_ms, AllOf(SizeIs(12), Each(8.0)));
  EXPECT_THAT(outcome.measurement->student_ms, AllOf(SizeIs(12), Each(2.0)));
}

TEST_F(Fast, a_version_that_replays_an_old_answer_is_wrong_when_timed) {
  EXPECT_THAT(kinds_of("replays"), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, a_version_that_is_wrong_only_when_timed_fails) {
  const auto causes = timed("by_sweep").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_when_timed"));
  EXPECT_NE(causes[0].expected, causes[0].actual);
  EXPECT_THAT(causes[0].seed, HasSubstr("0x"));
}

TEST_F(Fast, a_version_that_writes_nothing_is_not_saved_by_the_answer_of_the_other) {
  EXPECT_THAT(kinds_of("never_writes"), ElementsAre("wrong_when_timed"));
}

TEST_F(Fast, a_version_that_dies_or_fails_fails) {
  EXPECT_THAT(kinds_of("crashes"), ElementsAre("crashed"));
  EXPECT_THAT(kinds_of("cuda_error"), ElementsAre("cuda_error"));
}

TEST_F(Fast, a_naive_kernel_that_goes_wrong_beside_the_version_is_blamed_on_it) {
  const auto causes = timed("time:2.0", "zero").outcome.causes;
  ASSERT_THAT(kinds(causes), ElementsAre("wrong_when_timed"));
  EXPECT_THAT(causes[0].message, HasSubstr("naive kernel"));
}

TEST_F(Fast, a_course_kernel_that_cannot_be_loaded_is_not_blamed_on_the_version) {
  EXPECT_THAT(kinds_of("time:2.0", "not_loadable"), ElementsAre("internal"));
}

TEST_F(Fast, a_version_that_changes_the_input_when_timed_fails) {
  const auto found = kinds_of("changes_input");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0], testing::AnyOf("input_changed", "wrong_when_timed"));
}

TEST_F(Fast, a_version_that_changes_what_cancels_out_of_the_sum_is_found_out) {
  EXPECT_THAT(kinds_of("turns_input"), ElementsAre("input_changed"));
}

class OddTimes : public Fast, public testing::WithParamInterface<const char*> {};

TEST_P(OddTimes, are_tampering_and_no_speedup) {
  const auto outcome = timed(std::string("time:") + GetParam());
  EXPECT_THAT(kinds(outcome.outcome.causes), ElementsAre("tampering"));
  EXPECT_FALSE(outcome.measurement);
}

INSTANTIATE_TEST_SUITE_P(Times, OddTimes, testing::Values("0", "-1.0", "null", "\"1\"", "[1]", "true"));

}  // namespace
}  // namespace warpmark::judge
