// Measures the speedups of the reference solution on this machine over several runs, to derive the speedups
// required from students.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/base/error.h"
#include "harness/judge/checks/version_checks.h"
#include "harness/judge/rules/thresholds.h"
#include "harness/judge/workers/worker_client.h"
#include "harness/measure/samples.h"

namespace warpmark::judge {

struct CalibrationOptions {
  std::string assignment;  // name or folder
  std::uint64_t runs = 5;
  std::optional<Size> size;     // input size in elements; nullopt: chosen by size_to_time()
  std::filesystem::path cache;  // folder that caches compiled libraries
  unsigned jobs = 0;            // concurrent builds; 0: one per core
  std::function<void(const std::string&)> progress;  // receives one line of progress per call; may be empty
};

// Times the reference solution against the naive kernel in several runs and derives the speedups required
// from students. Fails without a GPU, if the reference solution does not build, or if the machine is too
// noisy.
Result<Thresholds> calibrate(const Installation& installation, const CalibrationOptions& options);

struct Reached {
  std::string version;
  std::vector<measure::Interval> speedups;  // confidence intervals of the speedup, one per calibration run
};

// Measures the naive kernel's time in milliseconds in a worker process without student code.
tl::expected<double, Cause> naive_ms_at(const GradingContext& bench, const Case& which,
                                        const CourseKernels& course);

// Combines calibration runs: takes the lowest and highest ends of the speedup intervals and derives the
// required speedups.
Thresholds thresholds_from(const std::vector<Reached>& reached, std::vector<double> naive_ms);

// Longest time of the naive kernel, in milliseconds, at a calibration's input size; admits 2^26 elements on
// an H200 (1.61 ms, 2026-11-21).
inline constexpr double kLongestNaiveMs = 1.65;
// Smallest input size for calibration: on a quiet H200, times of smaller inputs vary by 10 %.
inline constexpr std::uint64_t kSmallestSize = std::uint64_t{1} << 20;
// Returns the largest power of two for which the naive kernel takes at most kLongestNaiveMs. naive_ms(n)
// returns the naive kernel's time for n elements, or the reason why it cannot be measured.
tl::expected<std::uint64_t, Cause> size_to_time(
    const std::function<tl::expected<double, Cause>(std::uint64_t)>& naive_ms);

// One calibration run: the speedup interval of each kernel file, and the naive kernel's time.
// calibration_run() fails with the name of the first file whose times are too noisy.
struct CalibrationRun {
  std::vector<measure::Interval> speedups;
  double naive_ms = 0;
  std::string driver;  // GPU driver version; empty if unknown
};
struct CalibratedVersion {
  std::string version;
  BuiltTypes built;
};
Result<CalibrationRun> calibration_run(const GradingContext& bench, const Case& which,
                                       const std::vector<CalibratedVersion>& candidates,
                                       const CourseKernels& course,
                                       const std::function<void(const std::string&)>& progress);

}  // namespace warpmark::judge
