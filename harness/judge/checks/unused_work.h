// Fault injection: finds out whether the result of a counted call depends on the work that a rubric asks for.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/checks/version_worker.h"
#include "harness/judge/rules/work_limit.h"

namespace warpmark::judge {

struct UnusedWork {
  // Counters of which limits ask for a minimum, which the call reaches by work that adds nothing to the
  // answer.
  std::vector<WorkCounter> unused;
  std::vector<Cause> wrong;  // why a repetition of the call without faults failed; empty: none did
};

// Repeats the version's counted call with wrong results of randomly chosen instructions, of the kinds of
// which its limits ask for a minimum that is used (WorkLimit::used). If the answer is right all the same, the
// work adds nothing to it. Version and worker process cannot tell such a repetition from one without faults,
// of which there are as many on average and whose answer has to be right: a version that is wrong on purpose
// when it is called again fails. `worker` has made the call; its process is replaced.
UnusedWork find_unused_work(VersionWorker& worker, const GradingContext& bench, const std::string& version,
                            const CountedCall& call);

}  // namespace warpmark::judge
