// The check `fast` of all versions of a submission, one after the other on an otherwise idle GPU.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "harness/judge/version_checks.h"

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
};

// The case that is timed: one for all versions of a grading.
Case timed_case(const Bench& bench);

// jobs: of how many workers the input is looked at side by side, at the end. done: told of each version as it
// is decided; may be empty.
FastOutcomes check_fast(const Bench& bench, const std::vector<FastRequest>& requests,
                        const CourseKernels& course, unsigned jobs,
                        const std::function<void(const FastRequest&, const FastOutcome&)>& done = {});

}  // namespace warpmark::judge
