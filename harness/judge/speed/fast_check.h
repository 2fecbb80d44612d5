// The check `fast`: times all versions of a submission in succession on an otherwise idle GPU.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/speed/workbench.h"

namespace warpmark::judge {

struct FastRequest {
  const VersionRule* rule = nullptr;
  double required_speedup = 0;  // Course::required_speedup()
  BuiltTypes built;
};

struct FastOutcome {
  CheckOutcome outcome;
  std::optional<Measurement> measurement;
};

struct FastOutcomes {
  std::vector<FastOutcome> versions;  // in the order of the requests
  Timing timing;
  bool doubles = false;  // the assignment counts operations in double precision
};

// Returns the timed case, which all versions of a grading share.
Case timed_case(const GradingContext& bench, Engine engine = Engine::gpu);

// Everything that can be prepared before the versions to time are known, or the cause why it cannot.
struct FastPreparation {
  tl::expected<Workbench, Cause> workbench;
  std::vector<tl::expected<PairTimer, Cause>> watches;  // one per version; may be empty
};

// Prepares timers for `versions` versions if they fit into the GPU's memory next to `others` other workers;
// otherwise `watches` is empty. `bench` and `course` must outlive the result.
FastPreparation prepare_fast(const GradingContext& bench, const CourseKernels& course, std::size_t versions,
                             std::size_t others);

// jobs: number of workers whose input is verified concurrently at the end. done: called for each version as
// it is decided; may be empty.
FastOutcomes check_fast(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation prepared, unsigned jobs,
                        const std::function<void(const FastRequest&, const FastOutcome&)>& done = {});

}  // namespace warpmark::judge
