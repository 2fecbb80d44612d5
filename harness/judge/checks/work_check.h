// The check `work`: compares the simulator's performance counters for one call of the -O2 code with the
// rubric's limits.
#pragma once

#include <string>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Makes one call with the input of work_case(). Returns the call's failures,
// or if it succeeds, one failure per violated limit. `counted`: a suitable call that `correct` has already
// made; null: make the call here.
CheckOutcome check_work(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                        const CountedCall* counted = nullptr);

// Compares a performance counter with its limit and appends the comparison to `counted`. If the limit is
// violated, returns a failure reason with the input's size and an excerpt at the source line that contributes
// most; else nullopt. `which` is the input of the counted call.
std::optional<Cause> judge_limit(const WorkLimit& limit, double value, const SubmittedFile& file,
                                 const Submission& submission, const Case& which, Counted& counted);

}  // namespace warpmark::judge
