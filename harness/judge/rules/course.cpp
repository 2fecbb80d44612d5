#include "harness/judge/rules/course.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

namespace warpmark::judge {
namespace {

// Returns the number of processors in the affinity mask; a container, a batch system or taskset may restrict
// it.
unsigned usable_cores() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
    return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
}

void apply(const Thresholds& thresholds, Course& course) {
  if (thresholds.type != course.fast.type) return;
  if (course.fast.calibrate) {
    course.fast.size = thresholds.size;
    course.calibration.source = fmt::format("{}, {}, driver {}, CUDA {}", thresholds.gpu, thresholds.date,
                                            thresholds.driver, thresholds.cuda);
    for (const VersionThreshold& measured : thresholds.versions) {
      for (VersionRule& version : course.versions) {
        if (version.name != measured.version) continue;
        version.speedup = measured.threshold;
        course.calibration.versions[version.name] = {measured.low, measured.high};
      }
    }
  }
  if (course.fast.size == thresholds.size) course.calibration.naive_ms = thresholds.naive_ms;
}

}  // namespace

namespace {

std::optional<Cause> other_size(const std::optional<std::uint64_t>& asked, std::uint64_t size) {
  if (!asked || *asked == size) return std::nullopt;
  return make_cause(CauseKind::not_calibrated,
                    fmt::format("the speedups that are asked hold for {} values, and --size {} asks for "
                                "others; leave --size out to have `fast` decided, or see the times at other "
                                "sizes with ./warpmark ladder",
                                size, *asked));
}

}  // namespace

std::optional<Cause> Course::obstacle_to_fast() const {
  return other_size(focus.size, fast.size);
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
                      "this process may use one core, and a speedup over the sequential version needs two at "
                      "least; grade on a machine with several cores");
  }
  if (!version.ranks.empty() && timed_ranks(version) < 2) {
    return make_cause(
        CauseKind::no_cores,
        fmt::format("it is asked with {} ranks, which are timed with a core each, and this process may use "
                    "{}; grade on a machine with more cores",
                    fmt::join(version.ranks, ", "), cores));
  }
  return other_size(focus.size, host.size);
}

std::optional<Cause> Course::obstacle_to_work() const {
  const bool other_size = focus.size && *focus.size != work.size;
  const bool other_type =
      (!focus.type.empty() && focus.type != work.type) || std::ranges::find(types, work.type) == types.end();
  if (!other_size && !other_type) return std::nullopt;
  return make_cause(
      CauseKind::not_calibrated,
      fmt::format("the limits of `work` hold for {} values of type {}, and --size or --type asks "
                  "for others; leave them out to have `work` decided",
                  work.size, work.type));
}

Course resolve(const Rubric& rubric, const std::optional<Thresholds>& thresholds,
               const CourseOptions& options) {
  Course course{rubric, options.focus, options.only, {}, options.cores != 0 ? options.cores : usable_cores()};
  if (!options.types.empty()) {
    course.types = options.types;
    if (std::ranges::find(course.types, course.fast.type) == course.types.end()) {
      course.fast.type = course.types.front();  // the naive kernel is built for this type
    }
  }
  if (thresholds) apply(*thresholds, course);
  const std::uint64_t most = course.host.most_cores;
  const std::uint64_t asked = most == 0 ? course.cores : std::min<std::uint64_t>(most, course.cores);
  for (VersionRule& version : course.versions) {
    const double workers = version.ranks.empty() ? static_cast<double>(asked) : course.timed_ranks(version);
    if (version.host) version.speedup = version.efficiency * workers;
  }
  return course;
}

}  // namespace warpmark::judge
