#include "harness/measure/samples.h"

#include <cmath>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr double kRounding = 1e-12;

// Naive, student, naive, student on a machine whose every call takes `drift` times as long as the one before.
Round drifting_round(double student_ms, double speedup, double drift) {
  Round round;
  double slower = 1;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    round.naive_ms[turn] = student_ms * speedup * slower;
    slower *= drift;
    round.student_ms[turn] = student_ms * slower;
    slower *= drift;
  }
  return round;
}

std::vector<double> counted_up_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.rbegin(), values.rend(), 1);
  return values;
}

TEST(LogRatio, is_the_logarithm_of_naive_over_student) {
  EXPECT_NEAR(log_ratio({{6, 6}, {2, 2}}), std::log(3), kRounding);
  EXPECT_NEAR(log_ratio({{2, 2}, {6, 6}}), -std::log(3), kRounding);
}

TEST(LogRatio, weighs_both_samples_of_an_arm_alike) {
  EXPECT_NEAR(log_ratio({{1, 4}, {1, 1}}), std::log(2), kRounding);
  EXPECT_NEAR(log_ratio({{4, 1}, {1, 1}}), std::log(2), kRounding);
  EXPECT_NEAR(log_ratio({{1, 1}, {1, 4}}), -std::log(2), kRounding);
  EXPECT_NEAR(log_ratio({{1, 1}, {4, 1}}), -std::log(2), kRounding);
}

TEST(LogRatio, sees_of_a_steady_drift_what_it_is_from_one_call_to_the_next) {
  for (const double drift : {0.97, 0.9999, 1.0001, 1.03}) {
    EXPECT_NEAR(log_ratio(drifting_round(0.1, 5.5, drift)), std::log(5.5) - std::log(drift), kRounding)
        << drift;
  }
}

TEST(Control, is_the_naive_kernel_against_itself_with_changing_sign) {
  const std::vector<Round> rounds{{{2, 1}, {9, 9}}, {{2, 1}, {9, 9}}, {{3, 3}, {9, 9}}};
  const double ratio = std::log(2) / std::sqrt(2);
  EXPECT_THAT(
      naive_against_itself(rounds),
      ElementsAre(DoubleNear(ratio, kRounding), DoubleNear(-ratio, kRounding), DoubleNear(0, kRounding)));
}

TEST(Median, is_the_middle_one_of_an_odd_number) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, -1, 4}), 4);
}

TEST(Median, is_the_mean_of_the_middle_two_of_an_even_number) {
  EXPECT_EQ(median({4, 1}), 2.5);
  EXPECT_EQ(median({100, 3, 1, 4}), 3.5);
}

TEST(Median, of_an_arm_takes_every_sample_of_it) {
  const std::vector<Round> rounds{{{1, 3}, {10, 30}}, {{5, 7}, {50, 70}}};
  EXPECT_EQ(naive_median_ms(rounds), 4);
  EXPECT_EQ(student_median_ms(rounds), 40);
}

// The ranks are those of tables of the binomial distribution.
TEST(SignTestInterval, cuts_off_as_many_values_as_the_binomial_distribution_says) {
  const struct {
    int n;
    double low, high;
  } cases[] = {{11, 1, 11}, {12, 1, 12}, {14, 1, 14}, {15, 2, 14}, {24, 4, 21}, {48, 13, 36}, {96, 32, 65}};
  for (const auto& [n, low, high] : cases) {
    const auto interval = sign_test_interval(counted_up_to(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low, low) << n;
    EXPECT_EQ(interval->high, high) << n;
  }
}

TEST(SignTestInterval, holds_the_median_as_surely_as_it_says) {
  for (const int n : {11, 12, 24, 60, 96}) {
    const auto interval = sign_test_interval(counted_up_to(n));
    ASSERT_TRUE(interval);
    // Of all 2^n ways to lie on either side of the median, those in which it lies below the lower end.
    double ways = 0;
    for (int k = 0; k < static_cast<int>(interval->low); ++k) {
      ways += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
    }
    EXPECT_LE(2 * ways * std::exp2(-n), 1 - kConfidence) << n;
  }
}

TEST(SignTestInterval, needs_eleven_values) {
  EXPECT_FALSE(sign_test_interval(counted_up_to(10)));
  EXPECT_FALSE(sign_test_interval({}));
  EXPECT_TRUE(sign_test_interval(counted_up_to(6), 0.95)) << "a smaller confidence needs fewer";
}

TEST(SignTestInterval, is_not_moved_by_a_few_wild_values) {
  auto values = counted_up_to(96);
  const auto before = sign_test_interval(values);
  for (std::size_t i = 0; i < 8; ++i) values[i] = 1e9;  // the eight largest
  EXPECT_EQ(sign_test_interval(values)->high, before->high);
}

}  // namespace
}  // namespace warpmark::measure
