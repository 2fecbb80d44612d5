// Checks an assignment whose submissions are whole programs, beyond the checks that all assignments get.
#pragma once

#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Returns a finding for every missing file that a test case or the [compare] table of assignment.toml names.
std::vector<AssignmentFinding> missing_files_of_cases(const judge::Rubric& rubric);

// Returns findings on what an assignment's test cases fail to test: expected outputs that only the reference
// program defines, no secret test case, test cases that require no kernel launch.
std::vector<AssignmentFinding> gaps_of_cases(const judge::Rubric& rubric);

}  // namespace warpmark::assignment_check
