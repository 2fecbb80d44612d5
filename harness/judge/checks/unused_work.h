// Fault injection: finds out whether the result of a counted call depends on the work that a rubric asks for.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/rules/work_limit.h"

namespace warpmark::judge {

// Returns those counters of which the version's limits ask for a minimum, which `call` reaches by work that
// adds nothing to the answer: the answer is as right when results of randomly chosen instructions of that
// kind are wrong. `worker` has made the call, and must not be used for other calls afterwards, because wrong
// values may stay in the version's own variables. The call is repeated at least twice for each such limit and
// at most sixteen times.
std::vector<WorkCounter> find_unused_work(VersionWorker& worker, const GradingContext& bench,
                                          const std::string& version, const CountedCall& call);

}  // namespace warpmark::judge
