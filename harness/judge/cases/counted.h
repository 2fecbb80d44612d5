// From what a worker says it counted to what the grade may hold.
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

// The launches of one call, summed by kernel and by line of the submission's own files. Student code may have
// written any of it: files that are not the submission's, and more kernels or lines than a person reads are
// left out. Nothing when nothing is left.
std::optional<Counted> counted_by(const std::vector<wire::Launch>& launches, const Submission& submission,
                                  const std::string& version, const Case& which);

// A counter of a call with n values, over the launches whose work was counted; 0 where it has no sense.
double value_of(WorkCounter counter, const std::vector<wire::Launch>& launches, std::uint64_t n);

}  // namespace warpmark::judge
