// Converts the performance counters that a worker process reports to the form in which a grade stores them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/judge/cases/device_work.h"
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
//
// So that code which adds nothing to the answer does not change a counter in the student's favour:
// - Numbers per thread, warp and block are per busy one; so are busy threads and launches. The number of busy
//   warps is (sum of x)^2 / sum of x^2 (the participation ratio, or inverse Herfindahl index), where x is the
//   number of sectors that a warp loads: all warps if they load alike; those that load nothing do not count.
//   Where kernels load less than a byte per element, x is the number of the warp's instructions.
// - Atomics on global memory and loads of constant memory count as loads, too, and copies within device
//   memory as the loads of a kernel that copies 4 bytes per thread.
double value_of(WorkCounter counter, const DeviceWork& work, std::uint64_t n);

}  // namespace warpmark::judge
