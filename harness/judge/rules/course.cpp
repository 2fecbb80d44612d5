#include "harness/judge/rules/course.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include "harness/judge/rules/plan.h"

namespace warpmark::judge {
namespace {

// Returns the number of processors in the affinity mask, which a container, a batch system or taskset may
// restrict.
unsigned usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

void apply(const Thresholds& thresholds, Course& course) {
  if (thresholds.type != course.rubric.fast.type) return;
  if (course.speed.size && *course.speed.size != thresholds.size) return;
  if (course.rubric.fast.calibrate) {
    course.timed_size = thresholds.size;
    course.calibration.probed = !thresholds.probe.empty();
    course.calibration.source = fmt::format("{}, {}, {}driver {}, CUDA {}", thresholds.gpu, thresholds.date,
                                            thresholds.probe.empty() ? "" : thresholds.probe + ", ",
                                            thresholds.driver, thresholds.cuda);
    for (const VersionThreshold& measured : thresholds.versions)
      course.calibration.versions[measured.version] = {measured.threshold, {measured.low, measured.high}};
  }
  if (course.timed_size == thresholds.size) course.calibration.naive_ms = thresholds.naive_ms;
}

std::optional<Cause> other_size(const std::optional<Size>& asked, const Size& size) {
  if (!asked || *asked == size) return std::nullopt;
  return make_cause(
      CauseKind::not_calibrated,
      fmt::format("the required speedups hold for {} values, not for --size {}; leave --size out to have "
                  "`fast` decided, or see the times at other sizes with ./warpmark ladder",
                  to_text(size), to_text(*asked)));
}

}  // namespace

std::vector<double> Course::required_speeds(const VersionRule& version) const {
  double unit = 1;
  if (version.speed_unit == SpeedUnit::core) {
    const std::uint64_t most = rubric.host.most_cores;
    const std::uint64_t used = most == 0 ? cores : std::min<std::uint64_t>(most, cores);
    unit = version.ranks.empty() ? static_cast<double>(used) : timed_ranks(version);
  }
  const auto calibrated = calibration.versions.find(version.name);
  if (version.speed_unit == SpeedUnit::naive && calibrated != calibration.versions.end())
    unit = calibrated->second.threshold / version.required_speed();
  std::vector<double> speeds;
  for (const SpeedStep& step : version.steps) speeds.push_back(step.at_least * unit);
  return speeds;
}

std::vector<PointPart> Course::parts_of(const VersionRule& version, Check check) const {
  std::vector<PointPart> parts;
  if (check == Check::correct) {
    for (std::size_t i = 0; i < version.group_points.size(); ++i)
      parts.push_back({"sizes: " + rubric.correct.groups[i].name, version.group_points[i], version.is_bonus});
  }
  if (check != Check::fast || version.steps.size() < 2) return parts;
  const std::vector<double> speeds = required_speeds(version);
  for (std::size_t i = 0; i < speeds.size(); ++i)
    parts.push_back({fmt::format("{:g} times as fast as the {}", speeds[i], version.baseline()),
                     version.steps[i].points, version.steps[i].bonus || version.is_bonus});
  return parts;
}

std::optional<Cause> Course::obstacle_to_fast() const {
  if (speed.obstacle) return speed.obstacle;
  return other_size(focus.size, timed_size);
}

int Course::timed_ranks(const VersionRule& version) const {
  int most = 0;
  for (const int ranks : version.ranks) {
    if (static_cast<unsigned>(ranks) <= cores) most = std::max(most, ranks);
  }
  return most;
}

std::optional<Cause> Course::obstacle_to_host_fast(const VersionRule& version) const {
  if (cores < 2) {
    return make_cause(CauseKind::no_cores,
                      "this process may use one core, and a speedup over the sequential version needs at "
                      "least two; grade on a machine with several cores");
  }
  if (!version.ranks.empty() && timed_ranks(version) < 2) {
    return make_cause(CauseKind::no_cores,
                      fmt::format("it runs with {} ranks, which need one core each, and this process may use "
                                  "{}; grade on a machine with more cores",
                                  fmt::join(version.ranks, ", "), cores));
  }
  return other_size(focus.size, rubric.host.size);
}

std::optional<Cause> Course::obstacle_to_work() const {
  const bool other_size = focus.size && !is_work_size(rubric, *focus.size);
  const bool other_type = (!focus.type.empty() && focus.type != rubric.work.type) ||
                          std::ranges::find(rubric.types, rubric.work.type) == rubric.types.end();
  if (!other_size && !other_type) return std::nullopt;
  return make_cause(CauseKind::not_calibrated,
                    fmt::format("the limits of `work` hold for {} values of type {}, not for the given "
                                "--size or --type; leave them out to have `work` decided",
                                to_text(rubric.work.size), rubric.work.type));
}

Course resolve(const Rubric& rubric, const std::optional<Thresholds>& thresholds,
               const CourseOptions& options) {
  Course course{rubric,
                options.focus,
                options.only,
                options.cores != 0 ? options.cores : usable_cores(),
                options.speed.size.value_or(rubric.fast.size),
                {},
                options.speed};
  if (thresholds) apply(*thresholds, course);
  return course;
}

}  // namespace warpmark::judge
