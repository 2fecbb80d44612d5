// Converts the performance counters that a worker process reports to the form in which a grade stores them.
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

// Sums the counters of a call's kernel launches, by kernel and by source line of the student's files. Reports
// from the worker process are untrusted: files outside the submission, and more kernels or lines than a
// person reads, are dropped. Returns nullopt if nothing remains.
std::optional<Counted> counted_by(const std::vector<wire::Launch>& launches, const Submission& submission,
                                  const std::string& version, const Case& which);

// Computes one of the performance counters that a rubric limits, from those kernel launches that carry
// counter values; `n` is the number of input elements. Returns 0 if the counter is undefined.
double value_of(WorkCounter counter, const std::vector<wire::Launch>& launches, std::uint64_t n);

}  // namespace warpmark::judge
