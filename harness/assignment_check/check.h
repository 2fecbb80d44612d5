// Answers whether an assignment is ready for students.
#pragma once

#include <string>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Makes all steps. Fails if there is no such assignment, or this machine has nothing to grade it on.
Result<AssignmentReport> check_assignment(const judge::Installation& installation,
                                          const CheckOptions& options);

// Returns proposed limits in TOML. Fails likewise, and if the assignment's files are wrong.
Result<std::string> propose(const judge::Installation& installation, const CheckOptions& options);

}  // namespace warpmark::assignment_check
