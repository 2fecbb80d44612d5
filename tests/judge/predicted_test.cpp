#include "harness/judge/speed/predicted.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/speed/calibration.h"
#include "harness/judge/speed/fitting.h"

namespace warpmark::judge {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// Composed, not recorded: the bandwidth that a sum of 2^30 ints reached on an H200 (97 % of its data sheet),
// its 132 multiprocessors x 4 schedulers x 1.98 GHz, the atomics of v01_atomic_per_element at 2^26 ints
// (2^26 / 32 in 1.606 ms, thresholds/nvidia-h200.toml), and a usual launch time.
constexpr measure::GpuRates kH200{4680, 1045, 1.306, 2.2};

AssignmentHome reduction() {
  return *find_assignment(WARPMARK_ROOT, "reduction");
}

GpuProbe probe_of(const measure::GpuRates& rates) {
  return {"NVIDIA H200, uuid, driver 580", "2026-11-28", rates, {}};
}

Thresholds predicted(const measure::GpuRates& rates, double naive_ms) {
  const auto counts = counts_of(reduction());
  EXPECT_TRUE(counts && *counts) << (counts ? "missing" : counts.error().message);
  return thresholds_from(probe_of(rates), {"naive", 1U << 26, naive_ms}, **counts, 1U << 26);
}

TEST(Predicted, thresholds_of_an_h200_are_reached_by_the_reference_and_not_far_below_the_calibrated_ones) {
  const auto calibrated = thresholds_of(reduction(), "NVIDIA H200");
  ASSERT_TRUE(calibrated && *calibrated);
  const Thresholds found = predicted(kH200, (*calibrated)->naive_ms);
  std::vector<double> shares;
  for (const VersionThreshold& version : found.versions) {
    const auto same = std::ranges::find((*calibrated)->versions, version.version, &VersionThreshold::version);
    ASSERT_NE(same, (*calibrated)->versions.end()) << version.version;
    EXPECT_LE(version.threshold * kLeastHeadroom, same->low) << version.version;
    EXPECT_GE(version.threshold, 0.1 * same->threshold) << version.version;
    shares.push_back(version.threshold / same->threshold);
  }
  EXPECT_EQ(shares.size(), 18U);
  std::ranges::sort(shares);
  EXPECT_GE(shares[shares.size() / 2], 0.5) << "half of them within a factor of 2";
}

TEST(Predicted, thresholds_follow_the_gpus_own_rates) {
  const Thresholds usual = predicted(kH200, 1.6);
  measure::GpuRates slow = kH200;
  slow.read_gb_per_s /= 10;
  const Thresholds less_memory = predicted(slow, 1.6);
  ASSERT_EQ(usual.versions.size(), less_memory.versions.size());
  for (std::size_t i = 0; i < usual.versions.size(); ++i)
    EXPECT_LT(less_memory.versions[i].low, usual.versions[i].low) << usual.versions[i].version;
  EXPECT_NEAR(predicted(kH200, 3.2).versions.front().low, 2 * usual.versions.front().low, 1e-9)
      << "a naive kernel of twice the time";
  EXPECT_EQ(usual.probe, "4680 GB/s, 1045 G instructions/s, 1.31 G atomics/s, 2.2 us per launch");
  EXPECT_EQ(usual.size, Size(1U << 26));
}

TEST(Predicted, thresholds_decide_fast_and_are_told_as_what_they_are) {
  const auto rubric = read_rubric(reduction());
  ASSERT_TRUE(rubric);
  const Course course = resolve(*rubric, predicted(kH200, 1.6));
  EXPECT_TRUE(course.calibration.probed);
  EXPECT_THAT(course.calibration.source, HasSubstr("4680 GB/s"));
  EXPECT_EQ(course.calibration.naive_ms, 1.6);
  const VersionRule* version = course.rubric.find("v13_shared_grid_stride");
  ASSERT_NE(version, nullptr);
  EXPECT_GT(course.required_speeds(*version).back(), 1.2) << "more than the rubric's default";
  EXPECT_FALSE(resolve(*rubric, *thresholds_of(reduction(), "NVIDIA H200")).calibration.probed);
}

TEST(Predicted, measured_thresholds_do_not_hold_for_another_size) {
  const auto rubric = read_rubric(reduction());
  CourseOptions options;
  options.speed = {Size(1U << 25), "33554432 values instead of 67108864", std::nullopt};
  const Course course = resolve(*rubric, *thresholds_of(reduction(), "NVIDIA H200"), options);
  EXPECT_EQ(course.timed_size, Size(1U << 25));
  EXPECT_TRUE(course.calibration.versions.empty());
}

TEST(Predicted, an_untrusted_probe_leaves_fast_undecided) {
  const auto rubric = read_rubric(reduction());
  CourseOptions options;
  options.speed.obstacle = make_cause(CauseKind::noise, "another process computes on the GPU");
  const auto obstacle = resolve(*rubric, std::nullopt, options).obstacle_to_fast();
  ASSERT_TRUE(obstacle);
  EXPECT_EQ(obstacle->kind, CauseKind::noise);
}

TEST(SizeForTime, halves_until_the_naive_kernel_is_short_enough) {
  EXPECT_EQ(size_for_time(1U << 26, 1.6), Size(1U << 26)) << "an H200";
  EXPECT_EQ(size_for_time(1U << 26, 6), Size(1U << 24));
  EXPECT_EQ(size_for_time(1U << 26, 1e6), Size(1U << 20)) << "never less than what can be timed";
  EXPECT_EQ(size_for_time(Size({1U << 26, 1U << 20}), 3), Size({1U << 25, 1U << 19}));
}

TEST(Counts, leave_out_libraries_and_other_types) {
  const auto rubric = read_rubric(reduction());
  Grade grade;
  CountedKernel kernel{"k",
                       2,
                       {{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 30},
                        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 3},
                        {"smsp__inst_executed.sum", 100},
                        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 7},
                        {"global_atomics", 64},
                        {"same_address_atomics", 62}}};
  for (const char* version : {"v13_shared_grid_stride", "v19_thrust"}) {
    for (const char* type : {"int", "float"}) {
      Counted counted;
      counted.version = version;
      counted.type = type;
      counted.n = 1000;
      counted.kernels = {kernel, kernel};
      grade.counters.push_back(counted);
    }
  }
  const ReferenceCounts counts = counts_from(grade, *rubric);
  ASSERT_EQ(counts.versions.size(), 1U);
  EXPECT_EQ(counts.type, "int");
  EXPECT_EQ(counts.versions.at("v13_shared_grid_stride").demand, (measure::Demand{66, 200, 14, 4, 4}));
}

TEST(Counts, with_a_mistake_name_file_line_and_remedy) {
  const TemporaryFolder folder;
  AssignmentHome home = reduction();
  home.folder = folder.path();
  EXPECT_FALSE(*counts_of(home)) << "no counts, no prediction";
  std::filesystem::create_directory(folder.path() / "thresholds");
  ASSERT_TRUE(write_file(counts_file(home),
                         "type = \"int\"\n[[version]]\nname = \"v02\"\nn = 0\nsectors = 1\n"
                         "instructions = 1\nwavefronts = 1\natomics = 0\nlaunches = 1\n"));
  const auto counts = counts_of(home);
  ASSERT_FALSE(counts);
  EXPECT_THAT(counts.error().message, AllOf(HasSubstr("counts.toml:2"), HasSubstr("above 0"),
                                            HasSubstr("warpmark calibrate --counts")));
}

class KeptProbe : public testing::Test {
 protected:
  KeptProbe() {
    device_.name = "NVIDIA GeForce RTX 3050 Laptop GPU";
    device_.uuid = "1234";
    device_.cuda = "13.0";
    device_.clock_hz = 1.5e9;
    device_.peak_gb_per_s = 192;
    probe_ = {identity_of(device_, "580.1"),
              "2026-11-28",
              {170, 90, 1.1, 3},
              {{"reduction int 67108864 abc", Size({1U << 25, 7}), 1.5}}};
    file_ = probe_file(folder_.path(), device_);
    keep(probe_, file_);
  }
  TemporaryFolder folder_;
  Device device_;
  GpuProbe probe_;
  std::filesystem::path file_;
};

TEST_F(KeptProbe, is_read_again) {
  EXPECT_EQ(kept_probe(file_, identity_of(device_, "580.1")), probe_);
}

TEST_F(KeptProbe, is_of_one_gpu_driver_runtime_and_clock) {
  EXPECT_EQ(kept_probe(file_, identity_of(device_, "581.0")), std::nullopt);
  const auto other = [&](auto change) {
    Device device = device_;
    change(device);
    return kept_probe(file_, identity_of(device, "580.1"));
  };
  EXPECT_EQ(other([](Device& device) { device.name += " MIG 1g.5gb"; }), std::nullopt);
  EXPECT_EQ(other([](Device& device) { device.uuid = "5678"; }), std::nullopt);
  EXPECT_EQ(other([](Device& device) { device.cuda = "12.8"; }), std::nullopt);
  EXPECT_EQ(other([](Device& device) { device.clock_hz = 1.2e9; }), std::nullopt);
  EXPECT_EQ(other([](Device& device) { device.peak_gb_per_s = 168; }), std::nullopt);
}

TEST_F(KeptProbe, that_is_damaged_is_measured_anew) {
  for (const char* text : {"", "gpu = 1", "not toml ["}) {
    ASSERT_TRUE(write_file(file_, text));
    EXPECT_EQ(kept_probe(file_, probe_.gpu), std::nullopt) << text;
  }
  probe_.rates.gatomics = 0;
  keep(probe_, file_);
  EXPECT_EQ(kept_probe(file_, probe_.gpu), std::nullopt) << "a rate of 0";
}

// Passes of a probe: the memory bandwidths that they measure, one after the other.
tl::expected<measure::GpuRates, Cause> settled_of(const std::vector<double>& bandwidths) {
  std::size_t i = 0;
  return settled([&]() -> tl::expected<measure::GpuRates, Cause> {
    measure::GpuRates rates = kH200;
    rates.read_gb_per_s = bandwidths[std::min(i++, bandwidths.size() - 1)];
    return rates;
  });
}

TEST(Settled, takes_the_first_rates_that_come_twice) {
  EXPECT_EQ(settled_of({300, 700, 930, 936, 100})->read_gb_per_s, 936) << "clocks that rise";
}

TEST(Settled, never_is_no_verdict) {
  const auto rates = settled_of({900, 450, 900, 450, 900, 450, 900});
  ASSERT_FALSE(rates);
  EXPECT_EQ(rates.error().kind, CauseKind::noise);
  EXPECT_THAT(rates.error().message, AllOf(HasSubstr("not calibrated"), HasSubstr("memory bandwidth"),
                                           HasSubstr("grade again when nothing else uses the GPU")));
}

TEST(Disturbance, is_another_process_or_heat_but_no_power_limit) {
  EXPECT_EQ(disturbance({}), "");
  Conditions conditions;
  conditions.other_processes = 0;
  conditions.throttled_by = {"power limit", "clocks set lower"};
  EXPECT_EQ(disturbance(conditions), "") << "a laptop under load";
  conditions.other_processes = 1;
  EXPECT_THAT(disturbance(conditions), AllOf(HasSubstr("another process computes"), HasSubstr("nvidia-smi")));
  conditions.other_processes = 0;
  for (const char* reason : {"temperature", "hardware slowdown", "power supply"}) {
    conditions.throttled_by = {"power limit", reason};
    EXPECT_THAT(disturbance(conditions), AllOf(HasSubstr(reason), HasSubstr("let it cool"))) << reason;
  }
}

constexpr std::uint64_t kGibibyte = std::uint64_t{1} << 30;

// What a sum of ints needs: three copies of the input and a workspace of a sixteenth, in two processes.
std::optional<Size> fitting(std::uint64_t free_bytes, const Size& usual = 1U << 26) {
  return size_that_fits(usual, free_bytes, [&](const Size& size) {
    std::vector<BufferSpec> buffers(2);
    buffers[0].bytes = size.parts.front() * sizeof(int);
    buffers[0].patched = true;
    buffers[1].bytes = size.parts.front() * sizeof(int) / 16;
    return kTimedProcesses * (timed_bytes(buffers) + context_bytes(free_bytes));
  });
}

TEST(FittingSize, is_the_usual_one_where_memory_suffices) {
  EXPECT_EQ(fitting(139 * kGibibyte), Size(1U << 26)) << "an H200";
  EXPECT_EQ(fitting(15 * kGibibyte), Size(1U << 26)) << "a T4";
}

TEST(FittingSize, is_halved_where_it_does_not) {
  EXPECT_EQ(fitting(28 * kGibibyte / 10), Size(1U << 25)) << "a laptop's 4 GB, 2.8 of them free";
  EXPECT_EQ(fitting(kGibibyte), Size(1U << 24)) << "a quarter of a GiB for the buffers of each process";
  EXPECT_EQ(fitting(kGibibyte, Size({1U << 26, 1000})), Size({1U << 24, 250})) << "in every part";
  EXPECT_EQ(fitting(kGibibyte / 100), std::nullopt);
}

TEST(FittingSize, is_told_with_the_numbers) {
  EXPECT_EQ(
      smaller_size_text(1U << 25, 1U << 26, 28 * kGibibyte / 10, 3 * kGibibyte),
      "33554432 values instead of 67108864: 2.8 GiB of the GPU's memory were free, and the usual size needs "
      "3.0 GiB");
}

TEST(FittingJobs, are_as_many_workers_as_the_memory_holds) {
  const std::uint64_t buffers = std::uint64_t{200} << 20;
  EXPECT_EQ(jobs_that_fit(16, 139 * kGibibyte, buffers), 16U);
  EXPECT_EQ(jobs_that_fit(16, 3 * kGibibyte, buffers), 3U);
  EXPECT_EQ(jobs_that_fit(16, kGibibyte / 8, buffers), 1U) << "never none";
  EXPECT_EQ(jobs_that_fit(16, 0, buffers), 16U) << "unknown";
}

}  // namespace
}  // namespace warpmark::judge
