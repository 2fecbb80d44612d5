#include "harness/measure/peaks.h"

#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

TEST(Peaks, are_lanes_times_clock_times_two) {
  // An H200: 132 multiprocessors at 1.98 GHz, 67 and 34 TFLOP/s by its data sheet.
  const PeakGflops h200 = peak_gflops(90, 132, 1.98e9);
  EXPECT_NEAR(h200.single_precision, 66908.2, 0.1);
  EXPECT_NEAR(h200.double_precision, 33454.1, 0.1);
}

TEST(Peaks, are_not_known_for_an_unknown_capability) {
  EXPECT_EQ(peak_gflops(42, 132, 1.98e9).single_precision, 0);
}

TEST(Bound, is_the_slower_of_memory_and_arithmetic) {
  EXPECT_DOUBLE_EQ(bound_ms(4e9, 4000, 1e9, 50'000), 1.0);
  EXPECT_DOUBLE_EQ(bound_ms(4e9, 4000, 1e11, 50'000), 2.0);
}

TEST(Bound, is_that_of_what_is_known) {
  EXPECT_DOUBLE_EQ(bound_ms(4e9, 0, 1e11, 50'000), 2.0);
  EXPECT_DOUBLE_EQ(bound_ms(4e9, 4000, 1e11, 0), 1.0);
  EXPECT_EQ(bound_ms(4e9, 0, 1e11, 0), 0);
}

}  // namespace
}  // namespace warpmark::measure
