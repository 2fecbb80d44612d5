// What is checked only of assignments whose submissions are programs.
#pragma once

#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Returns a finding for every file that a case or the comparison names and that is missing.
std::vector<AssignmentFinding> missing_files_of_cases(const judge::Rubric& rubric);

// Returns what the cases leave open: outputs that only the reference tells, no case that is secret, cases
// that ask for no kernel.
std::vector<AssignmentFinding> gaps_of_cases(const judge::Rubric& rubric);

}  // namespace warpmark::assignment_check
