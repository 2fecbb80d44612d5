#include "harness/judge/speed/calibration.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "harness/judge/intake/opening.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/workbench.h"
#include "harness/judge/workers/engines.h"

namespace warpmark::judge {
namespace {

// Number of rounds (naive, student, naive, student) timed per kernel file and run; more while the naive
// kernel's times are noisy.
constexpr std::size_t kRounds = 48;
constexpr int kAttempts = 3;
constexpr std::uint64_t kLargestSize = std::uint64_t{1} << 31;

// Ends the timing of a kernel file after kRounds rounds, or later while the naive kernel's times are noisy.
measure::Look enough(std::span<const measure::Round> rounds) {
  if (rounds.size() < kRounds || rounds.size() % measure::kLookEvery != 0) return {};
  if (measure::is_quiet(measure::sign_test_interval(measure::naive_against_itself(rounds)))) {
    return {measure::Decision::passed, measure::Ground::interval};
  }
  if (rounds.size() < measure::kMostRounds) return {};
  return {measure::Decision::noise, measure::Ground::control};
}

Error as_error(const std::string& what, const Cause& cause) {
  return Error{
      fmt::format("{}: {}{}{}", what, cause.message, cause.printed.empty() ? "" : "\n", cause.printed)};
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

}  // namespace

tl::expected<double, Cause> naive_ms_at(const GradingContext& bench, const Case& which,
                                        const CourseKernels& course) {
  auto workbench = Workbench::make(bench, which, course);
  if (!workbench) return tl::unexpected(workbench.error());
  if (auto timed = workbench->reference().time(); !timed) return tl::unexpected(timed.error());
  return workbench->reference().naive_ms();
}

tl::expected<std::uint64_t, Cause> size_to_time(
    const std::function<tl::expected<double, Cause>(std::uint64_t)>& naive_ms) {
  std::uint64_t size = kSmallestSize;
  while (size < kLargestSize) {
    const auto time = naive_ms(2 * size);
    if (!time) return tl::unexpected(time.error());
    if (*time > kLongestNaiveMs) break;
    size *= 2;
  }
  return size;
}

Thresholds thresholds_from(const std::vector<Reached>& reached, std::vector<double> naive_ms) {
  Thresholds thresholds;
  thresholds.runs = naive_ms.size();
  thresholds.rounds = kRounds;
  thresholds.naive_ms = measure::median(std::move(naive_ms));
  for (const Reached& of : reached) {
    VersionThreshold version{of.version, of.speedups.front().low, of.speedups.front().high, 0};
    for (const measure::Interval& speedup : of.speedups) {
      version.low = std::min(version.low, speedup.low);
      version.high = std::max(version.high, speedup.high);
    }
    version.threshold = threshold_below(version.low);
    thresholds.versions.push_back(version);
  }
  return thresholds;
}

Result<CalibrationRun> calibration_run(const GradingContext& bench, const Case& which,
                                       const std::vector<CalibratedVersion>& candidates,
                                       const CourseKernels& course,
                                       const std::function<void(const std::string&)>& progress) {
  auto workbench = Workbench::make(bench, which, course);
  if (!workbench) return tl::unexpected(as_error("the naive kernel", workbench.error()));
  CalibrationRun run;
  std::vector<double> naive_ms;
  const std::size_t side_by_side = workbench->side_by_side();
  for (std::size_t first = 0; first < candidates.size(); first += side_by_side) {
    auto watches = workbench->prepare(std::min(side_by_side, candidates.size() - first));
    workbench->control(watches);
    for (std::size_t k = 0; k < watches.size(); ++k) {
      const CalibratedVersion& candidate = candidates[first + k];
      auto& watch = watches[k];
      if (!watch) return tl::unexpected(as_error(candidate.version, watch.error()));
      if (auto loaded = watch->load_student(candidate.built, candidate.version); !loaded) {
        return tl::unexpected(as_error(candidate.version, loaded.error()));
      }
      tl::expected<Trial, Cause> trial;
      for (int attempt = 0; attempt < kAttempts; ++attempt) {
        trial = try_version(*watch, workbench->reference(), enough);
        if (!trial) return tl::unexpected(as_error(candidate.version, trial.error()));
        if (doubt_about(*trial, {}, 0) == Doubt::none && trial->clocks != Clocks::hidden) break;
      }
      if (trial->clocks == Clocks::hidden) {
        return fail(
            fmt::format("{}: the times by its events, {:.4g} ms, differ from the grader's clock; calibrate "
                        "again when nothing else runs on the GPU",
                        candidate.version, measure::student_median_ms(trial->rounds)));
      }
      if (const Doubt doubt = doubt_about(*trial, {}, 0); doubt != Doubt::none) {
        return fail(fmt::format("{}: this machine is too noisy to calibrate: {}", candidate.version,
                                reason_of(doubt, *trial, 0)));
      }
      const auto interval = measure::sign_test_interval(measure::log_ratios(trial->rounds));
      run.speedups.push_back({std::exp(interval->low), std::exp(interval->high)});
      naive_ms.push_back(measure::naive_median_ms(trial->rounds));
      progress(
          fmt::format("{}: {:.2f} to {:.2f} times as fast in {} rounds; naive {:.4g} ms, {:.4g} and {:.4g} "
                      "ms without it; clocks {:+.1f} us apart, naive {:+.1f}",
                      candidate.version, run.speedups.back().low, run.speedups.back().high,
                      trial->rounds.size(), naive_ms.back(), trial->naive_before_ms, trial->naive_after_ms,
                      1e3 * trial->student_excess_ms, 1e3 * trial->naive_excess_ms));
    }
  }
  run.driver = workbench->reference().conditions().driver;
  run.naive_ms = measure::median(std::move(naive_ms));
  return run;
}

Result<Thresholds> calibrate(const Installation& installation, const CalibrationOptions& options) {
  const auto say = [&](const std::string& line) {
    if (options.progress) options.progress(line);
  };
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::max(1u, std::thread::hardware_concurrency());
  const auto home = find_assignment(installation.root, options.assignment);
  if (!home) return tl::unexpected(home.error());
  auto opened = open_submission(home->reference, options.assignment, {}, installation, options.cache);
  if (!opened) return tl::unexpected(opened.error());
  if (auto sound = check_size(options.size, *opened); !sound) return tl::unexpected(sound.error());
  const Course course = resolve(rubric_for(opened->submission, opened->rubric));
  // Calibration skips CPU-only and MPI code, and files that are compared with the reference solution: their
  // required speedups come from the rubric alone.
  const auto is_timed = [](const VersionRule& version) {
    return version.has(Check::fast) && version.speed_unit == SpeedUnit::naive && version.ranks.empty();
  };
  for (const VersionRule& version : course.rubric.versions) {
    const std::filesystem::path solution = opened->submission.folder / (version.name + ".cu");
    if (is_timed(version) && !std::filesystem::exists(solution))
      return fail(fmt::format(
          "{} is missing: an installation holds no solutions to measure; calibrate in a clone, or "
          "add them to it: cmake --install build --prefix DIR --component solutions",
          solution.string()));
  }
  if (std::none_of(course.rubric.versions.begin(), course.rubric.versions.end(), is_timed)) {
    return fail(
        fmt::format("{}: no version of it is timed, so there is nothing to calibrate", options.assignment));
  }
  const Engines engines = find_engines(installation, kEngineLimit);
  if (!engines.has(Engine::gpu)) {
    return fail("only a GPU can be calibrated: " + engines.missing.at(Engine::gpu).message);
  }
  Libraries libraries({installation, course.rubric, opened->submission, engines, Engine::gpu, options.cache,
                       jobs, is_timed, false, say});
  libraries.build();
  const CourseKernels kernels{libraries.naive(), libraries.sweep().library};
  std::vector<CalibratedVersion> candidates;
  std::vector<Reached> reached;
  for (const VersionRule& version : course.rubric.versions) {
    if (!is_timed(version)) continue;
    candidates.push_back({version.name, libraries.version(Engine::gpu, version.name)});
    reached.push_back({version.name, {}});
    if (const auto causes = candidates.back().built.causes(); !causes.empty()) {
      return tl::unexpected(as_error(version.name, causes.front()));
    }
  }
  if (const auto causes = kernels.naive.causes(); !causes.empty()) {
    return tl::unexpected(as_error(course.rubric.naive, causes.front()));
  }
  const Device& device = engines.devices.at(Engine::gpu);
  DeviceLock lock(installation.locks, device.uuid);
  if (!lock.acquire(DeviceLock::Use::measuring, std::chrono::steady_clock::now() + kDeviceLockLimit,
                    [&] { say("waiting for a grading that uses the GPU"); })) {
    return fail("gradings used the GPU all the time; start again when they are done");
  }

  const GradingContext bench{installation, course, *opened->assignment, opened->submission,
                             seed_from_the_system()};
  const auto case_of = [&](const Size& size) {
    const std::string& type = course.rubric.fast.type;
    return opened->assignment->case_of(type, opened->assignment->data_classes(type).front(), size,
                                       seed_from_the_system());
  };
  Size size = options.size.value_or(0);
  const bool one_part = opened->assignment->size_names().size() == 1;
  if (size == Size(0) && !one_part) size = course.rubric.fast.size;
  if (size == Size(0)) {
    const auto found = size_to_time([&](std::uint64_t n) {
      auto time = naive_ms_at(bench, case_of(n), kernels);
      if (time) say(fmt::format("the naive kernel takes {:.4g} ms for {} values", *time, n));
      return time;
    });
    if (!found) return tl::unexpected(as_error("the naive kernel", found.error()));
    size = *found;
  }
  std::vector<double> naive_ms;
  std::string driver;
  for (std::uint64_t number = 1; number <= options.runs; ++number) {
    const auto run = calibration_run(bench, case_of(size), candidates, kernels, [&](const std::string& line) {
      say(fmt::format("run {} of {}: {}", number, options.runs, line));
    });
    if (!run) return tl::unexpected(run.error());
    naive_ms.push_back(run->naive_ms);
    driver = run->driver;
    for (std::size_t i = 0; i < reached.size(); ++i) reached[i].speedups.push_back(run->speedups[i]);
  }
  Thresholds thresholds = thresholds_from(reached, std::move(naive_ms));
  thresholds.gpu = device.name;
  thresholds.date = today();
  thresholds.driver = driver;
  thresholds.cuda = device.cuda;
  thresholds.type = course.rubric.fast.type;
  thresholds.size = size;
  return thresholds;
}

}  // namespace warpmark::judge
