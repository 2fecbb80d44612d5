// The check `work`: compares the simulator's counters of one call of the optimised code with the rubric's
// limits.
#pragma once

#include <string>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Makes one call with the rubric's work.size values, without access checks. If it fails, its causes are the
// outcome; else each violated limit is a cause. counted: such a call that `correct` has made; null: it is
// made here.
CheckOutcome check_work(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                        const CountedCall* counted = nullptr);

// Compares a counter with a limit and appends the result to `counted`. If the limit is violated, returns a
// cause that names the most expensive line, with an excerpt from the version's file; else nullopt.
std::optional<Cause> judge_limit(const WorkLimit& limit, double value, const SubmittedFile& file,
                                 const Submission& submission, Counted& counted);

}  // namespace warpmark::judge
