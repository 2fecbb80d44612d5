// Reads an assignment's files and builds what is made of them: rules, contract, solutions, adapter, the
// course's functions.
#pragma once

#include <optional>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"

namespace warpmark::assignment_check {

// Reads the rules. nullopt: they are wrong, as the findings say.
std::optional<judge::Rubric> read_rules(const AssignmentHome& home, std::vector<AssignmentFinding>& findings);

// Returns a finding for every mistake in the other files, or one that is fine. verbose: with the generated
// adapter.
std::vector<AssignmentFinding> read_files(const judge::Rubric& rubric);
std::vector<AssignmentFinding> build_course_code(const Setting& setting);

// Calls the course's `expected` twice at every size of `correct`, with different contents of the outputs
// before, and compares.
std::vector<AssignmentFinding> call_expected_twice(const Setting& setting);

}  // namespace warpmark::assignment_check
