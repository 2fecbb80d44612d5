// Derives verdicts, points and the exit status from causes (reasons for failed or undecided checks).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "harness/judge/rules/points.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Returns true if a check that was not passed for a reason of this kind keeps its points open, because it
// could not be decided on this machine. Otherwise the points are lost.
constexpr bool leaves_points_open(CauseKind kind) {
  switch (rule_of(kind).verdict) {
    case Verdict::passed:
    case Verdict::failed:
      return false;
    case Verdict::not_run:
      // `depends`: the check was not run because the submission failed an earlier check, so the points are
      // lost.
      return kind != CauseKind::depends;
    case Verdict::inconclusive:
    case Verdict::broken:
      break;
  }
  return true;
}

// Returns the exit status of a grade in which a check did not pass for a reason of this kind, and no other
// check has a worse one.
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

// Sets the verdict, points, bonus and open points of a check that has run from `check.causes`, the reasons
// why it did not pass, and `check.parts`; without causes, it has passed. Of several reasons, the first with
// verdict `failed` decides, else the one with the highest exit status; the deciding one is moved to the
// front. A failed check earns the parts that were reached, unless the submission evaded the check
// (`tampering`, `no_kernel`).
void settle(CheckResult& check, const Worth& worth);

// Maps a kernel file to the other kernel files that must pass the check `correct` before it earns any points.
using Needs = std::map<std::string, std::vector<std::string>>;

// Returns `needs` with what the needed kernel files need themselves: v3 needs v1 if it needs v2 and v2 needs
// v1.
Needs with_indirect(Needs needs);

// Withholds the points and bonus of checks whose prerequisite did not pass, and adds a note with the reason.
// `builds`, `clean` and `work` require `correct` of the same kernel file, `upload_once` requires `correct` of
// any file, and every check of a kernel file that has an entry in `needs` requires `correct` of each file in
// that entry. If the prerequisite's points are open, those of the check become open. If the prerequisite is
// not in the grade (--only), the points stay. Verdicts never change. Call once, after settle() of all checks.
void earn_together(std::span<CheckResult> checks, const Needs& needs = {});

// Leaves `percent` of their points, open points and bonus to the checks of kernel files whose `builds` notes
// that they are the same code as another one. Call once, after earn_together().
void keep_for_same_code(std::span<CheckResult> checks, double percent);

// score_of: returns the sums of points over all checks. exit_status_of: returns the highest exit status of
// any check, except those of kernel files that are worth bonus points alone and not implemented.
Score score_of(std::span<const CheckResult> checks, const Needs& needs = {});
int exit_status_of(std::span<const CheckResult> checks);

}  // namespace warpmark::judge
