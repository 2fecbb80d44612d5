// Measures how well failures are explained: mutants are graded as a student's submission is, and the first
// cause on the page is compared with the edit.
#pragma once

#include <optional>

#include "harness/assignment_check/setting.h"
#include "harness/model/feedback_report.h"
#include "harness/model/grade.h"
#include "harness/source_edits/mutants.h"

namespace warpmark::assignment_check {

// Returns the first cause on the page of a grade of the mutant's version; nullopt if no check failed.
std::optional<FeedbackMutant> first_seen(const Grade& grade, const source_edits::Mutant& mutant);

// Grades a sample of the assignment's mutants on the simulator, one after another. Fails if a mutant cannot
// be graded at all. Throws AssignmentFault.
Result<FeedbackReport> measure_feedback(const Setting& setting);

}  // namespace warpmark::assignment_check
