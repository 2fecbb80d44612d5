// The check `fast` of all versions of a submission, one after the other on an otherwise idle GPU.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/speed/workbench.h"

namespace warpmark::judge {

struct FastRequest {
  const VersionRule* rule = nullptr;
  BuiltTypes built;
};

struct FastOutcome {
  CheckOutcome outcome;
  std::optional<Measurement> measurement;
};

struct FastOutcomes {
  std::vector<FastOutcome> versions;  // in the order of the requests
  Timing timing;
  bool doubles = false;  // the operations are in double precision
};

// The case that is timed: one for all versions of a grading.
Case timed_case(const GradingContext& bench, Engine engine = Engine::gpu);

// What can stand ready before it is known which versions are timed, or why it cannot.
struct FastPreparation {
  tl::expected<Workbench, Cause> workbench;
  std::vector<tl::expected<PairTimer, Cause>> watches;  // one a version, or none yet
};

// The workers for so many versions are made if the GPU's memory has room for all of them beside so many
// others. `bench` and `course` are used as long as what is prepared.
FastPreparation prepare_fast(const GradingContext& bench, const CourseKernels& course, std::size_t versions,
                             std::size_t others);

// jobs: of how many workers the input is looked at side by side, at the end. done: told of each version as it
// is decided; may be empty.
FastOutcomes check_fast(const GradingContext& bench, const std::vector<FastRequest>& requests,
                        FastPreparation prepared, unsigned jobs,
                        const std::function<void(const FastRequest&, const FastOutcome&)>& done = {});

}  // namespace warpmark::judge
