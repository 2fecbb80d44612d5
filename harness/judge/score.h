// From causes to verdicts, points and an exit status, by the rules of harness/base/cause_kind.h.
#pragma once

#include <span>

#include "harness/model/grade.h"

namespace warpmark::judge {

// The verdict, points and open points of a check that the rubric gives `worth` points, from its causes.
// No cause is `passed`, so call this only for a check that was carried out. Of several causes the first fault
// of the submission decides, else the one with the highest exit status; it is moved to the front.
void settle(CheckResult& check, double worth);

// Takes points from passed checks that earn them only together with another, and notes why: `builds`, `clean`
// and `work` with `correct` of the same version, `upload_once` with `correct` of any version. Where that one
// is open, theirs are open, too. A grade without it (--only) keeps them. Verdicts stay. Call it once, when
// all checks are settled.
void earn_together(std::span<CheckResult> checks);

// The sums over all checks, and the highest exit status that applies.
Score score_of(std::span<const CheckResult> checks);
int exit_status_of(std::span<const CheckResult> checks);

}  // namespace warpmark::judge
