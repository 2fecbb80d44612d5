// Converts a worker's counters to what a grade may contain.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/work_limit.h"
#include "harness/model/grade.h"
#include "harness/wire/observation.h"

namespace warpmark::judge {

// Sums the launches of one call by kernel and by line of the submission's own files. The input is untrusted:
// files outside the submission, and more kernels or lines than a person reads, are omitted. Returns nullopt
// if nothing remains.
std::optional<Counted> counted_by(const std::vector<wire::Launch>& launches, const Submission& submission,
                                  const std::string& version, const Case& which);

// Returns a rubric's counter for a call with n values, over the launches whose work was counted; 0 if
// undefined.
double value_of(WorkCounter counter, const std::vector<wire::Launch>& launches, std::uint64_t n);

}  // namespace warpmark::judge
