// What the outcome of one check means for others.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"
#include "harness/judge/rules/check.h"
#include "harness/model/grade.h"

namespace warpmark::judge {

// What an earlier check's causes mean for a later one: a failure makes it `depends`, a lack of the machine or
// a fault of ours stays what it is.
std::vector<Cause> after(const std::vector<Cause>& earlier, Check check);

// A check that this machine has no memory or descriptors for costs itself only.
CheckOutcome guarded(const std::function<CheckOutcome()>& work);

// Whether a version that is not correct is worth a call in the audit of the upload: it runs, and it ends.
bool can_be_audited(const Cause& cause);

// For the instructor: two versions are one.
Cause same_code_note(const std::string& file, const std::string& other);

}  // namespace warpmark::judge
