#include "harness/judge/speed/predicted.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/judge/selection.h"
#include "harness/judge/speed/calibration.h"
#include "harness/judge/speed/device_lock.h"
#include "harness/judge/speed/fitting.h"
#include "harness/judge/workers/libraries.h"

namespace warpmark::judge {
namespace {

const Device& gpu_of(const SpeedRequest& request) {
  return request.engines.devices.at(Engine::gpu);
}

// Returns the first version of the submission whose speedup over the naive kernel this grading asks for; null
// if there is none.
const VersionRule* first_timed(const SpeedRequest& request) {
  const Selection selection(request.course);
  const auto& versions = request.course.rubric.versions;
  const auto found = std::ranges::find_if(versions, [&](const VersionRule& version) {
    return !version.host && version.speed_unit == SpeedUnit::naive && version.ranks.empty() &&
           selection.wants(version, Check::fast) && request.submission.files.at(version.name).causes.empty();
  });
  return found == versions.end() ? nullptr : &*found;
}

Case case_at(const Assignment& assignment, const std::string& type, const Size& size) {
  return assignment.case_of(type, assignment.data_classes(type).front(), size, seed_from_the_system());
}

// Identifies the naive kernel at its usual size: another source, type or size is measured anew.
std::string name_of_naive(const Rubric& rubric, const Size& usual) {
  const auto source = read_file(rubric.home.reference / rubric.file_of(rubric.naive));
  return fmt::format("{} {} {} {}", rubric.assignment, rubric.fast.type, to_text(usual),
                     sha256(source.value_or("")).substr(0, 16));
}

// Measures the naive kernel in a worker process without student code. `version`, which the grading times, is
// built along with it, but not loaded.
tl::expected<NaiveTime, Cause> measure_naive(const SpeedRequest& request, const VersionRule& version,
                                             const Size& usual) {
  const Engines gpu_alone = request.engines.only(Engine::gpu);
  Libraries libraries({request.installation, request.course.rubric, request.submission, gpu_alone,
                       Engine::gpu, request.cache, request.jobs,
                       [&](const VersionRule& each) { return each.name == version.name; }, false,
                       request.progress});
  libraries.build();
  if (const auto trouble = libraries.trouble_with_course(Engine::gpu); !trouble.empty())
    return tl::unexpected(trouble.front());
  const CourseKernels kernels{libraries.naive(), libraries.sweep().library};
  const GradingContext bench{request.installation, request.course, request.assignment, request.submission,
                             seed_from_the_system()};
  NaiveTime naive{name_of_naive(request.course.rubric, usual), usual, 0};
  for (;;) {
    const auto ms =
        naive_ms_at(bench, case_at(request.assignment, request.course.rubric.fast.type, naive.size), kernels);
    if (!ms) return tl::unexpected(ms.error());
    naive.ms = *ms;
    Size shorter = size_for_time(naive.size, *ms);
    if (shorter == naive.size) return naive;
    naive.size = std::move(shorter);
  }
}

// Returns the kept probe of the GPU with the naive kernel's time, or measures what is missing of it.
tl::expected<std::pair<GpuProbe, NaiveTime>, Cause> probed(const SpeedRequest& request,
                                                           const VersionRule& version, const Size& usual) {
  const Device& device = gpu_of(request);
  DeviceLock lock(request.installation.locks, device.uuid);
  if (!lock.acquire(DeviceLock::Use::measuring, std::chrono::steady_clock::now() + kDeviceLockLimit,
                    [&] { request.progress("waiting for a grading that uses the GPU"); }))
    return tl::unexpected(make_cause(CauseKind::noise, "other gradings used the GPU all the time"));
  auto probe = probe_gpu({request.installation, request.engines, request.cache, request.progress}, false);
  if (!probe) return tl::unexpected(probe.error());
  const std::string name = name_of_naive(request.course.rubric, usual);
  const auto kept = std::ranges::find(probe->naive, name, &NaiveTime::kernel);
  if (kept != probe->naive.end()) return std::pair(*probe, *kept);
  auto naive = measure_naive(request, version, usual);
  if (!naive) return tl::unexpected(naive.error());
  probe->naive.push_back(*naive);
  keep(*probe, probe_file(request.cache, device));
  return std::pair(std::move(*probe), std::move(*naive));
}

}  // namespace

Thresholds thresholds_from(const GpuProbe& probe, const NaiveTime& naive, const ReferenceCounts& counts,
                           std::uint64_t elements) {
  Thresholds thresholds;
  thresholds.date = probe.date;
  thresholds.probe = measure::to_text(probe.rates);
  thresholds.type = counts.type;
  thresholds.size = naive.size;
  thresholds.naive_ms = naive.ms;
  for (const auto& [name, counted] : counts.versions) {
    const double factor = static_cast<double>(elements) / static_cast<double>(counted.n);
    const double speedup =
        naive.ms / measure::predicted_ms(probe.rates, measure::scaled(counted.demand, factor));
    thresholds.versions.push_back({name, speedup, speedup, threshold_below(speedup)});
  }
  return thresholds;
}

Size size_for_time(Size size, double ms) {
  while (ms > kLongestNaiveMs && size.parts.front() / 2 >= kSmallestSize) {
    for (std::uint64_t& part : size.parts) part /= 2;
    ms /= 2;
  }
  return size;
}

SpeedConditions fitted(const Assignment& assignment, const std::string& type, const Device& gpu,
                       const Size& usual) {
  SpeedConditions conditions;
  const std::uint64_t free_bytes = gpu.free_bytes;
  if (free_bytes == 0) return conditions;
  const auto bytes_at = [&](const Size& size) {
    const auto buffers = assignment.make(case_at(assignment, type, size))->buffers();
    return kTimedProcesses * (timed_bytes(buffers) + context_bytes(free_bytes));
  };
  const auto size = size_that_fits(usual, free_bytes, bytes_at);
  if (!size) {
    conditions.obstacle = make_cause(
        CauseKind::noise,
        fmt::format(
            "{} MiB of the GPU's memory are free, and even the smallest input that can be timed does not "
            "fit; end what uses the GPU (`nvidia-smi` shows it), or grade on a larger one",
            free_bytes >> 20));
  } else if (*size != usual) {
    conditions.size = *size;
    conditions.smaller_size = smaller_size_text(*size, usual, free_bytes, bytes_at(usual));
  }
  return conditions;
}

Result<SpeedBasis> speed_basis(const SpeedRequest& request) {
  const Rubric& rubric = request.course.rubric;
  const Device& device = gpu_of(request);
  SpeedBasis basis;
  auto calibrated = thresholds_of(rubric.home, device.name);
  if (!calibrated) return tl::unexpected(calibrated.error());
  basis.thresholds = std::move(*calibrated);
  const VersionRule* version = first_timed(request);
  if (version == nullptr || request.course.focus.size) return basis;
  const bool measured =
      rubric.fast.calibrate && basis.thresholds && basis.thresholds->type == rubric.fast.type;
  basis.conditions = fitted(request.assignment, rubric.fast.type, device,
                            measured ? basis.thresholds->size : rubric.fast.size);
  if (basis.conditions.obstacle || !rubric.fast.calibrate || (measured && !basis.conditions.size))
    return basis;
  auto counts = counts_of(rubric.home);
  if (!counts) return tl::unexpected(counts.error());
  if (!*counts || (*counts)->type != rubric.fast.type) return basis;
  const auto found = probed(request, *version, basis.conditions.size.value_or(rubric.fast.size));
  if (!found) {
    basis.thresholds.reset();
    basis.conditions.obstacle = found.error();
    return basis;
  }
  const auto& [probe, naive] = *found;
  basis.thresholds = thresholds_from(probe, naive, **counts, request.assignment.values_at(naive.size));
  basis.thresholds->gpu = device.name;
  basis.thresholds->driver = loaded_driver();
  basis.thresholds->cuda = device.cuda;
  if (naive.size != basis.conditions.size.value_or(rubric.fast.size)) {
    basis.conditions.smaller_size =
        fmt::format("{} values instead of {}: the naive kernel takes more than {} ms for more",
                    to_text(naive.size), to_text(rubric.fast.size), kLongestNaiveMs);
  }
  if (naive.size != rubric.fast.size) basis.conditions.size = naive.size;
  return basis;
}

}  // namespace warpmark::judge
