#include "harness/bench/plan.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Plan, sizes_are_powers_of_two_with_both_ends) {
  EXPECT_THAT(powers_of_two(10, 13).value(), ElementsAre(1024, 2048, 4096, 8192));
  EXPECT_THAT(powers_of_two(31, 31).value(), ElementsAre(std::uint64_t{1} << 31));
}

TEST(Plan, refuses_a_first_size_above_the_last) {
  const auto sizes = powers_of_two(5, 4);
  ASSERT_FALSE(sizes);
  EXPECT_THAT(sizes.error().message, HasSubstr("--from 5 is above --to 4"));
}

TEST(Plan, a_call_is_expected_to_take_longer_on_more_values_and_never_less) {
  EXPECT_DOUBLE_EQ(predicted_ms(100, 1024, 2048), 200);
  EXPECT_DOUBLE_EQ(predicted_ms(100, 2048, 1024), 100);
}

TEST(Plan, rounds_fill_the_time_within_their_bounds) {
  EXPECT_EQ(rounds_within(1, 0.05), 20U);
  EXPECT_EQ(rounds_within(1, 10), kLeastRounds);
  EXPECT_EQ(rounds_within(1, 1e-6), kMostRounds);
  EXPECT_EQ(rounds_within(1, 0), kMostRounds);
}

TEST(Plan, every_round_calls_everybody_once) {
  for (std::size_t count : {0U, 1U, 2U, 7U}) {
    for (std::size_t round = 0; round < 15; ++round) {
      std::vector<std::size_t> everybody(count);
      std::iota(everybody.begin(), everybody.end(), 0U);
      EXPECT_TRUE(std::ranges::is_permutation(order_of_round(count, round), everybody))
          << count << " " << round;
    }
  }
}

TEST(Plan, nobody_always_follows_the_same_one) {
  bool one_after_zero = false;
  bool zero_after_one = false;
  for (std::size_t round = 0; round < 4; ++round) {
    const auto order = order_of_round(3, round);
    for (std::size_t k = 1; k < order.size(); ++k) {
      one_after_zero |= order[k - 1] == 0 && order[k] == 1;
      zero_after_one |= order[k - 1] == 1 && order[k] == 0;
    }
  }
  EXPECT_TRUE(one_after_zero);
  EXPECT_TRUE(zero_after_one);
}

}  // namespace
}  // namespace warpmark::bench
