// The check `fast` where several speedups earn points.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/judge/score.h"
#include "harness/judge/speed/fast_check.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Speedups of 1.5, 3 and 6 earn 2, 4 and 7 points.
class FastInSteps : public FakeChecks {
 protected:
  FastInSteps() {
    rule.name = "v";
    rule.steps = {{1.5, 2}, {3, 2}, {6, 3}};
    required = {1.5, 3, 6};
  }
  [[nodiscard]] FastOutcome timed(const std::string& student, const std::string& naive = "time:8.0") const {
    const GradingContext all = bench();
    const CourseKernels kernels{built(naive, Engine::gpu), "/fake/sweep", solution};
    FastPreparation prepared = prepare_fast(all, kernels, 1, 1000);
    return check_fast(all, {{&rule, required, built(student, Engine::gpu)}}, prepared, 2).versions.front();
  }
  static std::string message_of(const FastOutcome& found) {
    return found.outcome.causes.empty() ? "" : found.outcome.causes.front().message;
  }
  // What settle() makes of it.
  static CheckResult settled(const FastOutcome& found, const Worth& worth = {7, 0}) {
    CheckResult check;
    check.causes = found.outcome.causes;
    check.parts = found.outcome.parts;
    settle(check, worth);
    return check;
  }

  VersionRule rule;
  std::vector<double> required;
  std::string solution;  // the function of the baseline where it is the course's solution
};

class FastOfReference : public FastInSteps {
 protected:
  FastOfReference() {
    rule.speed_unit = SpeedUnit::reference;
    rule.steps = {{0.5, 2}, {0.8, 2}, {0.95, 3}};
    required = {0.5, 0.8, 0.95};
    solution = "v";
    course.calibration.naive_ms = 1;  // of another kernel than the baseline
  }
};

TEST_F(FastInSteps, between_two_steps_fails_with_the_points_of_the_lower_one_and_names_the_next) {
  const auto outcome = timed("time:4.2");  // 1.904 times
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("too_slow"));
  EXPECT_THAT(message_of(outcome), HasSubstr("2 of 7 points: 1.9x; the next step is 3x"));
  EXPECT_EQ(outcome.measurement->threshold, 3);
  EXPECT_THAT(outcome.measurement->steps, ElementsAre(1.5, 3, 6));
  const CheckResult check = settled(outcome);
  EXPECT_EQ(check.verdict, Verdict::failed);
  EXPECT_EQ(check.points, 2);
  EXPECT_EQ(check.possible, 7);
}

TEST_F(FastInSteps, below_all_steps_earns_nothing_and_beyond_the_last_everything) {
  const auto slow = timed("time:7.0");
  EXPECT_EQ(settled(slow).points, 0);
  EXPECT_THAT(message_of(slow), HasSubstr("0 of 7 points: 1.14x; the next step is 1.5x"));
  const auto quick = timed("time:1.0");
  EXPECT_THAT(kinds(quick.outcome.causes), IsEmpty());
  EXPECT_EQ(settled(quick).points, 7);
  EXPECT_EQ(quick.measurement->threshold, 6);
}

TEST_F(FastInSteps, an_interval_across_a_step_takes_all_rounds_for_that_step_alone) {
  const auto at_second = timed("swings:2.7:1.05");  // 2.96 times: more than 98 % of 3
  EXPECT_EQ(settled(at_second).points, 4);
  EXPECT_EQ(at_second.measurement->decided_by, "cap");
  const auto below_second = timed("swings:2.76:1.05");
  EXPECT_EQ(settled(below_second).points, 2);
  EXPECT_EQ(below_second.measurement->decided_by, "cap");
  EXPECT_EQ(timed("swings:2.0:1.05").measurement->decided_by, "interval") << "4 is far from every step";
}

TEST_F(FastInSteps, a_speed_beyond_what_is_required_is_a_bonus_and_not_asked_for) {
  rule.steps.push_back({10, 3, true});
  required.push_back(10);
  const auto good = timed("time:1.0");
  EXPECT_THAT(kinds(good.outcome.causes), IsEmpty());
  EXPECT_EQ(good.measurement->threshold, 6);
  EXPECT_EQ(settled(good, {7, 3}).bonus, 0);
  const auto best = timed("time:0.5");
  EXPECT_EQ(settled(best, {7, 3}).points, 7);
  EXPECT_EQ(settled(best, {7, 3}).bonus, 3);
  EXPECT_THAT(message_of(timed("time:4.2")), HasSubstr("2 of 7 points"));
}

TEST_F(FastInSteps, what_is_wrong_when_timed_or_too_noisy_reaches_no_step) {
  EXPECT_EQ(settled(timed("replays")).points, 0);
  EXPECT_EQ(settled(timed("changes_input")).points, 0);
  const CheckResult noisy = settled(timed("time:0.5", "swings_beside:8.0:1.05"));
  EXPECT_EQ(noisy.points, 0);
  EXPECT_EQ(noisy.open, 7);
}

TEST_F(FastOfReference, the_words_are_of_the_courses_solution) {
  const auto outcome = timed("time:14.0");
  ASSERT_THAT(kinds(outcome.outcome.causes), ElementsAre("too_slow"));
  EXPECT_THAT(message_of(outcome), AllOf(HasSubstr("2 of 7 points: 0.57x; the next step is 0.8x"),
                                         HasSubstr("as fast as the course's solution")));
  EXPECT_TRUE(outcome.measurement->over_reference);
  EXPECT_THAT(kinds(timed("time:8.2").outcome.causes), IsEmpty());
}

// One that calls the course's kernel where it finds one in its process is as slow as it is itself.
TEST_F(FastOfReference, the_solution_is_in_no_process_with_the_submission) {
  EXPECT_THAT(kinds(timed("borrows:8.0:20.0").outcome.causes), ElementsAre("too_slow"));
  solution.clear();
  EXPECT_THAT(kinds(timed("borrows:8.0:20.0").outcome.causes), IsEmpty()) << "the naive kernel is beside it";
}

TEST_F(FastOfReference, a_submission_in_a_process_of_its_own_is_held_to_the_same) {
  EXPECT_THAT(kinds(timed("replays").outcome.causes), ElementsAre("wrong_when_timed"));
  EXPECT_THAT(kinds(timed("never_writes").outcome.causes), ElementsAre("wrong_when_timed"));
  EXPECT_THAT(kinds(timed("crashes").outcome.causes), ElementsAre("crashed"));
  EXPECT_THAT(kinds(timed("hidden:8.0:12.0").outcome.causes), ElementsAre("implausible_time"));
  EXPECT_THAT(kinds(timed("time:8.0", "swings:8.0:1.05").outcome.causes), ElementsAre("noise"));
  course.focus.size = 1'000'000;  // so many that no patch falls on a value that was moved
  EXPECT_THAT(kinds(timed("turns_input").outcome.causes), ElementsAre("input_changed"));
}

}  // namespace
}  // namespace warpmark::judge
