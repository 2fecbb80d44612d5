#include "harness/measure/clocks.h"

#include <vector>

#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

constexpr double kTiny = 1e-12;

TEST(BeyondEvents, is_what_one_more_call_costs_without_its_events) {
  const std::vector<ClockPair> pairs{{2.0, 6.0, 3.6, 4}};
  EXPECT_NEAR(beyond_events_ms(pairs), 0.1, kTiny);
}

TEST(BeyondEvents, is_not_moved_by_one_disturbed_pair) {
  const std::vector<ClockPair> pairs{{2, 6, 3.6, 4}, {2, 66, 3.6, 4}, {2, 6, 3.6, 4}};
  EXPECT_NEAR(beyond_events_ms(pairs), 0.1, kTiny);
}

TEST(ClocksAgree, within_twenty_percent_of_the_call_and_the_slack) {
  const double naive = 0.015;
  EXPECT_TRUE(clocks_agree(naive, naive, 0.1));
  EXPECT_TRUE(clocks_agree(naive + 0.049, naive, 0.1));
  EXPECT_FALSE(clocks_agree(naive + 0.051, naive, 0.1)) << "half of the call is hidden";
  EXPECT_FALSE(clocks_agree(naive - 0.051, naive, 0.1)) << "events longer than the time that passed";
  EXPECT_TRUE(clocks_agree(naive + 0.2, naive, 1.0));
  EXPECT_FALSE(clocks_agree(naive + 0.3, naive, 1.0));
}

TEST(ClocksAgree, the_naive_kernels_own_events_are_held_to_the_same) {
  EXPECT_TRUE(naive_clock_agrees(0.015, 1.6));
  EXPECT_FALSE(naive_clock_agrees(0.4, 1.6)) << "shortened by a quarter";
  EXPECT_FALSE(naive_clock_agrees(-0.4, 1.6)) << "drawn out";
}

TEST(MachineExplains, what_is_seen_in_the_reference_too_at_least_by_half) {
  EXPECT_TRUE(machine_explains(2.2, 2.3)) << "time slices of another process";
  EXPECT_TRUE(machine_explains(-0.15, 0.16));
  EXPECT_TRUE(machine_explains(0.3, 0.15));
  EXPECT_FALSE(machine_explains(0.3, 0.14));
  EXPECT_FALSE(machine_explains(-2.0, 0.015));
}

TEST(LeastTime, is_set_by_what_all_multiprocessors_can_take_in) {
  EXPECT_NEAR(least_ms(std::size_t{1} << 28, 132, 1.98e9), 0.008023, 1e-6);
  EXPECT_EQ(least_ms(1 << 20, 0, 0), 0) << "nothing is known of the device";
}

}  // namespace
}  // namespace warpmark::measure
