// Outputs that no thread reaches are told by the launch's shape.
#include "harness/judge/checks/grid_reach.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::judge {
namespace {

std::vector<wire::Launch> launched(const wire::Size& grid) {
  wire::Launch launch;
  launch.kernel = "wide";
  launch.grid = grid;
  launch.block = {32, 8, 1};
  return {launch};
}

const std::vector<wire::Launch> kLaunches = launched({1, 4, 1});

TEST(GridReach, ends_at_the_first_number_that_was_never_written) {
  const auto reach = about_reach("b(32, 0) is wrong: it still holds what it held before the call", kLaunches);
  ASSERT_TRUE(reach);
  EXPECT_EQ(reach->axis, 'y');
  EXPECT_EQ(reach->what,
            "4 blocks of 8 threads in y reach 32 numbers, and no thread takes number 32 or a later one");
  EXPECT_THAT(reach->advice, testing::HasSubstr("in steps of gridDim.y * blockDim.y"));
}

TEST(GridReach, says_nothing_of_other_failures) {
  EXPECT_FALSE(about_reach("b(33, 0) is wrong: b(33, 0) was never written", kLaunches)) << "another number";
  EXPECT_FALSE(about_reach("b(32, 0) is wrong: expected 4", kLaunches)) << "it was written";
  EXPECT_FALSE(about_reach("nothing was written (32): b(32) was never written", kLaunches));
  EXPECT_FALSE(about_reach("b(0, 32) is wrong: b(0, 32) was never written", launched({1, 1, 1})))
      << "one block is no grid that ends too early";
}

}  // namespace
}  // namespace warpmark::judge
