// Chooses what the check `fast` times and requires on the grading GPU: an input that fits into its memory,
// and speedups from the GPU model's calibration or, without one, from a probe of the GPU.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/counts.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/speed/gpu_probe.h"

namespace warpmark::judge {

// Predicts the required speedups of all counted versions: the naive kernel's measured time over the version's
// predicted one (measure::predicted_ms()), with the headroom of calibrated thresholds. `elements` is the
// number of elements of an input of the size naive.size.
Thresholds thresholds_from(const GpuProbe& probe, const NaiveTime& naive, const ReferenceCounts& counts,
                           std::uint64_t elements);

// Returns the size at which the naive kernel takes at most kLongestNaiveMs, at least 2^20 elements, if it
// takes `ms` at `size` and time grows in proportion to the first part; every part halved as often as needed.
Size size_for_time(Size size, double ms);

struct SpeedRequest {
  const Installation& installation;
  const Course& course;  // the grading rules without thresholds
  const Assignment& assignment;
  const Submission& submission;
  const Engines& engines;
  std::filesystem::path cache;
  unsigned jobs = 1;
  std::function<void(const std::string&)> progress;
};

// Returns the size that fits into the GPU's free memory, if that is not the `usual` one, and why;
// SpeedConditions::obstacle if none fits. `type`: element type of the timed input.
SpeedConditions fitted(const Assignment& assignment, const std::string& type, const Device& gpu,
                       const Size& usual);

struct SpeedBasis {
  std::optional<Thresholds> thresholds;
  SpeedConditions conditions;
};
// Returns thresholds and size for the GPU that grades. Probes a GPU model without calibrated thresholds, or
// with too little free memory for their size, unless the cache folder keeps its probe; only if the assignment
// has counts and a version that `fast` would time is graded. Fails if a file of thresholds or counts is
// damaged.
Result<SpeedBasis> speed_basis(const SpeedRequest& request);

}  // namespace warpmark::judge
