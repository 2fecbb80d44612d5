// How the outcome of one check affects other checks.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/rules/check.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// Causes that a check inherits from the earlier check `check`, which it depends on: one `depends` cause if
// that failed, its deciding cause if it was not run, inconclusive or broken, and none if it passed.
std::vector<Cause> after(const std::vector<Cause>& earlier, Check check);

// Runs `work` and turns an exception (out of memory, no descriptors left) into an `internal` cause, so that
// it costs only this check.
CheckOutcome guarded(const std::function<CheckOutcome()>& work);

// True if the upload audit may call a version although `correct` failed with this cause: the version runs and
// terminates (no time-out, endless loop or deadlock).
bool can_be_audited(const Cause& cause);

// Returns a note for the instructor that two versions consist of the same code.
Cause same_code_note(const std::string& file, const std::string& other);

}  // namespace warpmark::judge
