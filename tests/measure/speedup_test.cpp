#include "harness/measure/speedup.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

constexpr double kTiny = 1e-12;

// Naive, student, student, naive on a machine whose every call takes `drift` times as long as the one before.
Round drifting_round(double student_ms, double speedup, double drift) {
  Round round;
  round.naive_ms[0] = student_ms * speedup;
  round.student_ms[0] = student_ms * drift;
  round.student_ms[1] = student_ms * drift * drift;
  round.naive_ms[1] = student_ms * speedup * drift * drift * drift;
  return round;
}

std::vector<Round> steady_rounds(std::size_t count, double speedup) {
  return {count, drifting_round(0.1, speedup, 1)};
}

TEST(LogRatio, is_the_logarithm_of_naive_over_student) {
  EXPECT_NEAR(log_ratio({{6, 6}, {2, 2}}), std::log(3), kTiny);
  EXPECT_NEAR(log_ratio({{2, 2}, {6, 6}}), -std::log(3), kTiny);
}

TEST(LogRatio, weighs_both_samples_of_an_arm_alike) {
  EXPECT_NEAR(log_ratio({{1, 4}, {1, 1}}), std::log(2), kTiny);
  EXPECT_NEAR(log_ratio({{4, 1}, {1, 1}}), std::log(2), kTiny);
  EXPECT_NEAR(log_ratio({{1, 1}, {1, 4}}), -std::log(2), kTiny);
  EXPECT_NEAR(log_ratio({{1, 1}, {4, 1}}), -std::log(2), kTiny);
}

TEST(LogRatio, does_not_see_a_steady_drift_of_the_machine) {
  for (const double drift : {0.5, 0.97, 1.03, 2.0}) {
    EXPECT_NEAR(log_ratio(drifting_round(0.1, 5.5, drift)), std::log(5.5), kTiny) << drift;
  }
}

TEST(Median, is_the_middle_one_of_an_odd_number) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, -1, 4}), 4);
}

TEST(Median, is_the_mean_of_the_middle_two_of_an_even_number) {
  EXPECT_EQ(median({4, 1}), 2.5);
  EXPECT_EQ(median({100, 3, 1, 4}), 3.5);
}

TEST(Estimate, tells_the_speedup_and_both_times) {
  const Estimate found = estimate(steady_rounds(12, 4));
  EXPECT_NEAR(found.speedup, 4, kTiny);
  EXPECT_NEAR(found.naive_median_ms, 0.4, kTiny);
  EXPECT_NEAR(found.student_median_ms, 0.1, kTiny);
}

TEST(Estimate, takes_every_sample_of_a_round_into_the_times) {
  const Estimate found = estimate(std::vector<Round>{{{1, 3}, {10, 30}}});
  EXPECT_NEAR(found.naive_median_ms, 2, kTiny);
  EXPECT_NEAR(found.student_median_ms, 20, kTiny);
}

TEST(Estimate, is_not_moved_by_a_few_disturbed_rounds) {
  std::vector<Round> rounds = steady_rounds(12, 4);
  for (const std::size_t at : {std::size_t{0}, std::size_t{4}, std::size_t{5}, std::size_t{11}}) {
    for (double& sample : rounds[at].student_ms) sample *= 50;
  }
  EXPECT_NEAR(estimate(rounds).speedup, 4, kTiny);
}

TEST(Estimate, takes_the_median_of_ratios_and_not_the_ratio_of_medians) {
  // The machine changes its clock between rounds: within each, the student is twice as fast.
  const std::vector<Round> rounds{{{2, 2}, {1, 1}}, {{8, 8}, {4, 4}}, {{32, 32}, {16, 16}}, {{6, 6}, {1, 1}}};
  EXPECT_NEAR(estimate(rounds).speedup, 2, kTiny);
  EXPECT_NEAR(estimate(rounds).naive_median_ms / estimate(rounds).student_median_ms, 2.8, kTiny);
}

TEST(Decide, a_speedup_at_the_threshold_reaches_it) {
  EXPECT_EQ(decide({4, 1, 1}, 4), Decision::reached);
  EXPECT_EQ(decide({4.01, 1, 1}, 4), Decision::reached);
  EXPECT_EQ(decide({std::nextafter(4.0, 0.0), 1, 1}, 4), Decision::missed);
}

TEST(Decide, what_is_not_a_number_reaches_nothing) {
  EXPECT_EQ(decide({std::numeric_limits<double>::quiet_NaN(), 1, 1}, 4), Decision::missed);
}

}  // namespace
}  // namespace warpmark::measure
