#include "harness/judge/speed/calibration.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/speed/fast_check.h"
#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

TEST(Calibrated, thresholds_follow_from_the_worst_run) {
  const Thresholds thresholds = thresholds_from({{"v02", {{11.4, 11.5}, {11.38, 11.45}, {11.41, 11.52}}},
                                                 {"v05", {{2.2, 2.3}, {2.2, 2.3}, {2.2, 2.3}}}},
                                                {1.60, 1.62, 1.61});
  EXPECT_EQ(thresholds.runs, 3U);
  EXPECT_EQ(thresholds.naive_ms, 1.61);
  ASSERT_THAT(thresholds.versions, SizeIs(2));
  EXPECT_EQ(thresholds.versions[0].low, 11.38);
  EXPECT_EQ(thresholds.versions[0].high, 11.52);
  EXPECT_EQ(thresholds.versions[0].threshold, 9.1);
  EXPECT_EQ(thresholds.versions[1].threshold, 1.7);
}

TEST(SizeToTime, is_the_largest_that_the_naive_kernel_sums_in_time) {
  const auto with_rate = [](double values_per_ms) {
    return size_to_time([=](std::uint64_t n) -> tl::expected<double, Cause> {
      return static_cast<double>(n) / values_per_ms;
    });
  };
  EXPECT_EQ(with_rate(0x1p26 / 1.61), 1U << 26) << "an H200";
  EXPECT_EQ(with_rate(0x1p26 / 1.66), 1U << 25);
  EXPECT_EQ(with_rate(1), 1U << 20) << "never less than what can be timed";
  EXPECT_EQ(with_rate(1e12), std::uint64_t{1} << 31);
}

TEST(SizeToTime, passes_on_why_a_size_cannot_be_had) {
  const auto size = size_to_time([](std::uint64_t) -> tl::expected<double, Cause> {
    return tl::unexpected(make_cause(CauseKind::internal, "no memory"));
  });
  ASSERT_FALSE(size);
  EXPECT_EQ(size.error().message, "no memory");
}

// Their speedups are asked by cores and ranks, and their files are no .cu files.
TEST(Calibrate, asks_for_no_file_of_a_version_on_the_cpu) {
  const TemporaryFolder programs;  // no worker is in it, so that it ends before it measures
  Installation installation;
  installation.root = WARPMARK_ROOT;
  installation.programs = programs.path();
  CalibrationOptions options;
  installation.libraries = WARPMARK_LIB;
  options.cache = WARPMARK_CACHE;
  options.assignment = "knn";
  const auto thresholds = calibrate(installation, options);
  ASSERT_FALSE(thresholds);
  EXPECT_THAT(thresholds.error().message, HasSubstr("only a GPU can be calibrated"));
}

class CalibrationRun : public FakeChecks {
 protected:
  Result<judge::CalibrationRun> run(const std::vector<std::string>& behaviours,
                                    const std::string& naive = "time:8.0") {
    std::vector<CalibratedVersion> candidates;
    candidates.reserve(behaviours.size());
    for (const std::string& behaviour : behaviours)
      candidates.push_back({"v", built(behaviour, Engine::gpu)});
    const GradingContext now = bench();
    return calibration_run(now, timed_case(now), candidates, {built(naive, Engine::gpu), "/fake/sweep"},
                           [&](const std::string& line) { said.push_back(line); });
  }
  std::vector<std::string> said;
};

TEST_F(CalibrationRun, measures_every_version_and_the_naive_kernel) {
  const auto found = run({"time:2.0", "time:0.5", "time:4.0"});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->naive_ms, 8);
  ASSERT_THAT(found->speedups, SizeIs(3));
  EXPECT_NEAR(found->speedups[0].low, 4, 1e-9);
  EXPECT_NEAR(found->speedups[1].high, 16, 1e-9);
  EXPECT_NEAR(found->speedups[2].low, 2, 1e-9);
  EXPECT_THAT(said, SizeIs(3));
}

TEST_F(CalibrationRun, on_a_machine_that_is_not_quiet_fails_with_the_remedy) {
  for (const char* naive : {"swings:8.0:1.05", "beside:8.0:9.5"}) {
    const auto found = run({"time:2.0"}, naive);
    ASSERT_FALSE(found) << naive;
    EXPECT_THAT(found.error().message, AllOf(HasSubstr("too noisy"), HasSubstr("nvidia-smi")));
  }
}

TEST_F(CalibrationRun, of_a_reference_that_is_wrong_fails_with_the_version) {
  const auto found = run({"time:2.0", "zero"});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("v: "));
}

}  // namespace
}  // namespace warpmark::judge
