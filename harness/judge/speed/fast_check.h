// The check `fast`: times all kernel files of a submission in succession on an otherwise idle GPU.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/speed/verdict.h"
#include "harness/judge/speed/workbench.h"

namespace warpmark::judge {

struct FastRequest {
  const VersionRule* rule = nullptr;
  // Speedups over the baseline that the rubric requires of the kernel file, one for each step of points; at
  // least one.
  std::vector<double> required_speedups;
  BuiltTypes built;
};

struct FastOutcomes {
  std::vector<FastOutcome> versions;  // outcomes of the requested kernel files, in the order of the requests
  Timing timing;
  bool doubles = false;  // true: the assignment's operations are in double precision
};

// Returns the input for timed calls, which all kernel files of a grading share.
Case timed_case(const GradingContext& bench, Engine engine = Engine::gpu);

// Worker processes that are prepared before the kernel files to time are known.
struct FastPreparation {
  tl::expected<Workbench, Cause> workbench;
  // one prepared worker process per kernel file; may be empty
  std::vector<tl::expected<PairTimer, Cause>> watches;
};

// Prepares worker processes that time `versions` kernel files, if they fit into the GPU's memory next to
// `others` other worker processes; otherwise `watches` is empty. The result keeps references to `bench` and
// `course`, which must outlive it.
FastPreparation prepare_fast(const GradingContext& bench, const CourseKernels& course, std::size_t versions,
                             std::size_t others);

// Times all requested kernel files, and uses up as many of the prepared worker processes: what is left serves
// another call. `jobs`: number of worker processes whose input is verified concurrently
// at the end. `done` is called after each verdict; may be empty.
FastOutcomes check_fast(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation& prepared, unsigned jobs,
                        const std::function<void(const FastRequest&, const FastOutcome&)>& done = {});

}  // namespace warpmark::judge
