// Derives verdicts, points and the exit status from causes.
#pragma once

#include <span>

#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns true if a check that the cause decides keeps its points open, because it could not be decided here.
// Otherwise they are lost.
constexpr bool leaves_points_open(CauseKind kind) {
  switch (rule_of(kind).verdict) {
    case Verdict::passed:
    case Verdict::failed:
      return false;
    case Verdict::not_run:
      return kind != CauseKind::depends;  // the submission's own failure prevented the check
    case Verdict::inconclusive:
    case Verdict::broken:
      break;
  }
  return true;
}

// Returns the exit status of a grade in which the cause decides a check and no other check has a higher one.
constexpr int exit_status_for(CauseKind kind) {
  switch (rule_of(kind).verdict) {
    case Verdict::passed:
      return 0;
    case Verdict::failed:
      return 1;
    case Verdict::not_run:
      return leaves_points_open(kind) ? 0 : 1;
    case Verdict::inconclusive:
    case Verdict::broken:
      break;
  }
  return 3;
}

// Sets the verdict, points and open points of a check from its causes. worth: the check's points in the
// rubric. A check without causes has passed, so call this only for a check that ran. If there are several
// causes, the first one with verdict `failed` decides, else the one with the highest exit status; it is moved
// to the front.
void settle(CheckResult& check, double worth);

// Withholds the points of passed checks whose prerequisite did not pass, and adds a note that says why.
// `builds`, `clean` and `work` require `correct` of the same version, `upload_once` requires `correct` of any
// version. If the prerequisite's points are open, theirs become open. Without the prerequisite in the grade
// (--only) the points stay. Verdicts never change. Call once, after all checks are settled.
void earn_together(std::span<CheckResult> checks);

// Score_of sums over all checks; exit_status_of returns the highest exit status of any check.
Score score_of(std::span<const CheckResult> checks);
int exit_status_of(std::span<const CheckResult> checks);

}  // namespace warpmark::judge
