// What the user of a program is told of a launch that takes long.
#include "harness/simulator/device/runtime/progress.h"

#include <gtest/gtest.h>

namespace warpmark::simulator {
namespace {

TEST(Progress, tells_the_share_and_the_time_that_is_left) {
  EXPECT_EQ(
      progress_text("sgemm", 1000, 4000, 5),
      "warpmark: sgemm: 1000 of 4000 blocks began in 5 s, about 15 s are left; an input of a tenth takes "
      "about 2 s");
}

TEST(Progress, makes_no_guess_before_a_block_or_behind_the_last_one) {
  EXPECT_EQ(progress_text("k", 0, 7, 5), "warpmark: k: 0 of 7 blocks began in 5 s");
  EXPECT_EQ(progress_text("k", 7, 7, 12), "warpmark: k: 7 of 7 blocks began in 12 s");
}

TEST(Progress, a_launch_begins_at_zero) {
  LaunchProgress progress;
  progress.begun = 9;
  progress.launching("k", 12);
  EXPECT_EQ(progress.begun, 0U);
  EXPECT_EQ(progress.count, 12U);
  progress.ended();
  EXPECT_EQ(progress.count, 0U);
}

}  // namespace
}  // namespace warpmark::simulator
