#include "harness/measure/gpu_rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::measure {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr GpuRates kRates{936, 1120, 1.25, 2};

TEST(PredictedTime, adds_what_each_kind_of_work_takes_at_its_rate) {
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {.sectors = 936e6 / 32}), 1 / kReached);
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {.instructions = 1120e6}), 1 / kReached);
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {.wavefronts = 280e6}), 1 / kReached)
      << "a multiprocessor serves one wavefront where it executes four instructions";
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {.atomics = 1.25e6}), 1 / kReached);
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {.launches = 500}), 1 / kReached);
  EXPECT_DOUBLE_EQ(predicted_ms(kRates, {936e6 / 32, 1120e6, 280e6, 1.25e6, 500}), 5 / kReached);
}

TEST(Scaled, multiplies_all_work_but_the_launches) {
  EXPECT_EQ(scaled({1, 2, 3, 4, 5}, 10), (Demand{10, 20, 30, 40, 5}));
}

TEST(Probe, agrees_with_another_one_within_5_percent) {
  GpuRates other = kRates;
  other.read_gb_per_s *= 1.04;
  other.gatomics /= 1.04;
  other.launch_us *= 1.2;
  EXPECT_EQ(disagreement(kRates, other), "");
  EXPECT_EQ(disagreement(other, kRates), "");
}

TEST(Probe, names_the_rate_that_changed) {
  GpuRates slow = kRates;
  slow.read_gb_per_s = 450;
  EXPECT_THAT(disagreement(kRates, slow),
              AllOf(HasSubstr("memory bandwidth"), HasSubstr("936 and then 450 GB/s")));
  slow = kRates;
  slow.ginstructions *= 0.94;
  EXPECT_THAT(disagreement(kRates, slow), HasSubstr("instruction rate"));
  slow = kRates;
  slow.launch_us = 3;
  EXPECT_THAT(disagreement(slow, kRates), HasSubstr("launch time"));
}

TEST(Probe, is_told_in_the_units_of_data_sheets) {
  EXPECT_EQ(to_text(kRates), "936 GB/s, 1120 G instructions/s, 1.25 G atomics/s, 2 us per launch");
}

}  // namespace
}  // namespace warpmark::measure
