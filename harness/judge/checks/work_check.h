// The check `work`: the counts of one call, as the simulator takes them from the optimised code, against the
// limits of the rubric.
#pragma once

#include <string>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// One call of the rubric's work.size values, without a look at single accesses. A failure of that call is the
// outcome; else every limit that does not hold is a cause of its own. counted: such a call that `correct`
// made; null: it is made here.
CheckOutcome check_work(const GradingContext& bench, const std::string& version, const BuiltTypes& built,
                        const CountedCall* counted = nullptr);

// Holds the counts of a call against a limit, and adds what comes of it to `counted`. The cause names the
// line that costs most, with its excerpt from `text`, the version's file; nothing when the limit holds.
std::optional<Cause> judge_limit(const WorkLimit& limit, double value, const SubmittedFile& file,
                                 const Submission& submission, Counted& counted);

}  // namespace warpmark::judge
