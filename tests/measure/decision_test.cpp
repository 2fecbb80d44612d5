#include "harness/measure/decision.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

// Rounds whose ratio swings around `speedup` by a factor of 1 + swing, up and down in turns, with a naive
// kernel of 1 ms that is exactly as quiet as `naive_swing` says.
std::vector<Round> rounds_of(std::size_t count, double speedup, double swing = 0.001,
                             double naive_swing = 0.001) {
  std::vector<Round> rounds;
  for (std::size_t i = 0; i < count; ++i) {
    const double naive = std::exp((i / 2 % 2 == 0 ? 1 : -1) * naive_swing / 2);
    const double student = std::exp((i % 2 == 0 ? -1 : 1) * swing) / speedup;
    rounds.push_back({{naive, 1 / naive}, {student, student}});
  }
  return rounds;
}

Look after(std::size_t count, double speedup, double threshold, double swing = 0.001,
           double naive_swing = 0.001) {
  return look_at(rounds_of(count, speedup, swing, naive_swing), threshold);
}

TEST(Look, passes_when_the_whole_interval_reaches_the_threshold) {
  EXPECT_EQ(after(12, 4.1, 4).decision, Decision::passed);
  EXPECT_EQ(after(12, 4.1, 4).ground, Ground::interval);
}

TEST(Look, fails_when_the_whole_interval_is_below_the_threshold) {
  EXPECT_EQ(after(12, 3.9, 4).decision, Decision::failed);
  EXPECT_EQ(after(12, 3.9, 4).ground, Ground::interval);
}

TEST(Look, asks_for_more_rounds_while_the_threshold_lies_within) {
  for (std::size_t rounds = 12; rounds < 96; rounds += 12) {
    EXPECT_EQ(after(rounds, 4, 4, 0.02).decision, Decision::more_rounds) << rounds;
  }
}

TEST(Look, allows_the_naive_version_as_much_noise_as_its_machine_has) {
  const auto rounds = rounds_of(12, 4.5, 0.01, 0.03);
  EXPECT_EQ(look_at(rounds, 4).decision, Decision::more_rounds);
  EXPECT_EQ(look_at(rounds, 4, {.control_width = 0.05}).decision, Decision::passed);
}

TEST(Look, decides_in_as_many_rounds_as_there_is_time_for) {
  const auto rounds = rounds_of(24, 4, 0.02);
  EXPECT_EQ(look_at(rounds, 4).decision, Decision::more_rounds);
  const Look last = look_at(rounds, 4, {.most_rounds = 24});
  EXPECT_EQ(last.decision, Decision::passed);
  EXPECT_EQ(last.ground, Ground::cap);
}

TEST(Look, decides_nothing_between_two_looks) {
  for (const std::size_t rounds : {0U, 1U, 11U, 13U, 23U}) {
    EXPECT_EQ(after(rounds, 8, 4).decision, Decision::more_rounds) << rounds;
  }
}

TEST(Look, a_lower_end_on_the_threshold_reaches_it) {
  EXPECT_EQ(after(12, 4 * std::exp(0.001 + 1e-9), 4).decision, Decision::passed);
  EXPECT_EQ(after(12, 4 * std::exp(0.001 - 1e-9), 4).decision, Decision::more_rounds);
  EXPECT_EQ(after(12, 4 * std::exp(-0.001 - 1e-9), 4).decision, Decision::failed);
}

TEST(Look, at_the_cap_98_percent_of_the_threshold_are_enough) {
  for (const auto& [speedup, decision] : {std::pair{3.93, Decision::passed}, {3.91, Decision::failed}}) {
    const Look look = after(96, speedup, 4, 0.03);
    EXPECT_EQ(look.decision, decision) << speedup;
    EXPECT_EQ(look.ground, Ground::cap) << speedup;
  }
}

TEST(Look, a_version_slower_than_the_naive_kernel_is_given_up_after_three_rounds) {
  EXPECT_EQ(after(2, 0.9, 4).decision, Decision::more_rounds);
  EXPECT_EQ(after(3, 0.9, 4).decision, Decision::failed);
  EXPECT_EQ(after(3, 0.9, 4).ground, Ground::hopeless);
  EXPECT_EQ(after(3, 1.1, 4).decision, Decision::more_rounds);
}

TEST(Look, one_round_that_is_not_slower_keeps_a_version_going) {
  auto rounds = rounds_of(3, 0.9);
  rounds[1] = {{1, 1}, {0.9, 0.9}};
  EXPECT_EQ(look_at(rounds, 4).decision, Decision::more_rounds);
}

TEST(Look, where_less_than_the_naive_speed_is_asked_nothing_is_hopeless) {
  EXPECT_EQ(after(3, 0.9, 0.5).decision, Decision::more_rounds);
  EXPECT_EQ(after(12, 0.9, 0.5).decision, Decision::passed);
}

TEST(Look, a_naive_kernel_that_is_not_quiet_decides_nothing) {
  for (const double speedup : {2.0, 8.0}) {
    EXPECT_EQ(after(12, speedup, 4, 0.001, 0.03).decision, Decision::more_rounds) << speedup;
    const Look last = after(96, speedup, 4, 0.001, 0.03);
    EXPECT_EQ(last.decision, Decision::noise) << speedup;
    EXPECT_EQ(last.ground, Ground::control) << speedup;
  }
}

TEST(Look, what_is_not_a_number_passes_nothing) {
  auto rounds = rounds_of(96, 8);
  for (Round& round : rounds) round.student_ms[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(look_at(rounds, 4).decision, Decision::passed);
}

constexpr double kSteps[] = {1.5, 3, 6};

TEST(LookAtSteps, the_same_interval_decides_each) {
  for (const auto& [speedup, reached] : {std::pair{1.4, 0U}, {1.9, 1U}, {4.0, 2U}, {6.1, 3U}}) {
    const Look look = look_at(rounds_of(12, speedup), kSteps);
    EXPECT_EQ(look.reached, reached) << speedup;
    EXPECT_EQ(look.decision, reached == 3 ? Decision::passed : Decision::failed) << speedup;
    EXPECT_EQ(look.ground, Ground::interval) << speedup;
  }
}

TEST(LookAtSteps, more_rounds_follow_while_any_step_lies_within) {
  for (const double step : kSteps)
    EXPECT_EQ(look_at(rounds_of(12, step, 0.02), kSteps).decision, Decision::more_rounds) << step;
}

TEST(LookAtSteps, at_the_cap_98_percent_of_the_step_that_lies_within_are_enough) {
  for (const auto& [speedup, reached] : {std::pair{2.95, 2U}, {2.93, 1U}}) {
    const Look look = look_at(rounds_of(96, speedup, 0.03), kSteps);
    EXPECT_EQ(look.reached, reached) << speedup;
    EXPECT_EQ(look.ground, Ground::cap) << speedup;
  }
}

TEST(LookAtSteps, slower_than_the_naive_kernel_reaches_none_unless_a_step_asks_for_less) {
  EXPECT_EQ(look_at(rounds_of(3, 0.9), kSteps).decision, Decision::failed);
  constexpr double kOfReference[] = {0.5, 0.8, 0.95};
  EXPECT_EQ(look_at(rounds_of(3, 0.9), kOfReference).decision, Decision::more_rounds);
  EXPECT_EQ(look_at(rounds_of(12, 0.9), kOfReference).reached, 2U);
}

TEST(LookAtSteps, what_is_not_a_number_reaches_none) {
  auto rounds = rounds_of(96, 8);
  for (Round& round : rounds) round.student_ms[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(look_at(rounds, kSteps).reached, 0U);
}

// The fastest of a contest is 8 times as fast as the naive kernel, certain to 0.1 %.
std::size_t reached_at(double speedup, double width = 0.001) {
  constexpr double kWithin[] = {1.2, 1.05};
  const double best = std::log(8.0);
  const double own = std::log(speedup);
  return within_of_fastest({own - width, own + width}, own, {best - 0.001, best + 0.001}, best, kWithin);
}

TEST(Contest, is_decided_by_the_unfavourable_ends_of_both_intervals) {
  EXPECT_EQ(reached_at(8), 2U);
  EXPECT_EQ(reached_at(8 / 1.04), 2U);
  EXPECT_EQ(reached_at(8 / 1.1), 1U);
  EXPECT_EQ(reached_at(8 / 1.19), 1U);
  EXPECT_EQ(reached_at(8 / 1.25), 0U);
}

TEST(Contest, where_the_intervals_do_not_decide_the_medians_do_with_98_percent) {
  EXPECT_EQ(reached_at(8 / 1.06, 0.05), 2U);
  EXPECT_EQ(reached_at(8 / 1.08, 0.05), 1U);
  EXPECT_EQ(reached_at(8 / 1.22, 0.05), 1U);
  EXPECT_EQ(reached_at(8 / 1.23, 0.05), 0U);
  EXPECT_EQ(reached_at(std::numeric_limits<double>::quiet_NaN()), 0U);
}

TEST(Quiet, means_that_the_interval_holds_nothing_but_about_zero) {
  EXPECT_TRUE(is_quiet(Interval{-0.004, 0.002}));
  EXPECT_TRUE(is_quiet(Interval{-0.01, 0.01}));
  EXPECT_FALSE(is_quiet(Interval{0.001, 0.002})) << "not 0";
  EXPECT_FALSE(is_quiet(Interval{-0.002, -0.001})) << "not 0";
  EXPECT_FALSE(is_quiet(Interval{-0.011, 0.001})) << "too wide";
  EXPECT_FALSE(is_quiet(Interval{-0.001, 0.011})) << "too wide";
  EXPECT_FALSE(is_quiet(std::nullopt)) << "too few rounds";
}

TEST(CoresExplain, a_version_below_its_threshold_where_threads_got_less_than_a_core_each) {
  EXPECT_TRUE(cores_explain(1.3, 2, 1.0, 1.4)) << "1.54 times with two whole cores";
  EXPECT_FALSE(cores_explain(1.3, 2, 0.9, 1.4)) << "1.38 times";
  EXPECT_FALSE(cores_explain(1.95, 2, 1.39, 1.4)) << "as whole as cores are";
  EXPECT_TRUE(cores_explain(4.5, 8, 3.2, 5.6)) << "halves of four cores";
  EXPECT_FALSE(cores_explain(0.9, 1, 0.5, 0.7))
      << "one thread has no other to wait for, and less than it needs";
}

TEST(Agree, allows_ten_percent_either_way) {
  EXPECT_TRUE(agree(1.0, 1.09));
  EXPECT_TRUE(agree(1.09, 1.0));
  EXPECT_FALSE(agree(1.0, 1.11));
  EXPECT_FALSE(agree(1.11, 1.0));
  EXPECT_FALSE(agree(std::numeric_limits<double>::quiet_NaN(), 1.0));
}

}  // namespace
}  // namespace warpmark::measure
