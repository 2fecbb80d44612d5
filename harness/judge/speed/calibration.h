// What the reference reaches on this machine, measured over several runs.
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
  std::string assignment = "reduction";
  std::uint64_t runs = 5;
  std::optional<std::uint64_t> size;                 // in values; chosen where it is not given
  std::filesystem::path cache;                       // of built libraries
  unsigned jobs = 0;                                 // 0: one a core
  std::function<void(const std::string&)> progress;  // one line at a time; may be empty
};

// Fails where there is no GPU, where the reference does not build, and where the machine is not quiet enough.
Result<Thresholds> calibrate(const Installation& installation, const CalibrationOptions& options);

struct Reached {
  std::string version;
  std::vector<measure::Interval> speedups;  // one a run
};

// The runs put together.
Thresholds thresholds_from(const std::vector<Reached>& reached, std::vector<double> naive_ms);

// The largest power of two at which the naive kernel takes at most kLongestNaiveMs. `naive_ms` tells its time
// at a size, or why it cannot be had there.
inline constexpr double kLongestNaiveMs = 1.65;  // 1.6 ms; 1.61 at 2^26 on an H200 (2026-11-21)
tl::expected<std::uint64_t, Cause> size_to_time(
    const std::function<tl::expected<double, Cause>(std::uint64_t)>& naive_ms);

// One run: the speedup of every version, and the naive kernel's time. Fails with the version that is too
// noisy.
struct CalibrationRun {
  std::vector<measure::Interval> speedups;
  double naive_ms = 0;
  std::string driver;  // empty where it is not known
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
