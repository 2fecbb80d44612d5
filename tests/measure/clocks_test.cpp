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

TEST(BeyondEvents, of_whole_requests_is_the_median_of_what_is_left) {
  const std::vector<TimedCall> calls{{1.6, 1.9}, {0.4, 0.8}, {1.6, 9.9}};
  EXPECT_NEAR(beyond_events_ms(calls), 0.4, kTiny);
}

TEST(ClocksAgree, within_twenty_percent_of_the_call_and_the_slack) {
  EXPECT_TRUE(clocks_agree(0, 0.1));
  EXPECT_TRUE(clocks_agree(0.049, 0.1));
  EXPECT_FALSE(clocks_agree(0.051, 0.1)) << "half of the call is hidden";
  EXPECT_TRUE(clocks_agree(-0.099, 0.1));
  EXPECT_FALSE(clocks_agree(-0.101, 0.1)) << "events longer than the time that passed";
  EXPECT_TRUE(clocks_agree(0.2, 1.0));
  EXPECT_FALSE(clocks_agree(0.3, 1.0));
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
