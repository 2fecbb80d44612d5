// Records the work of an assignment's solutions for students, who see it beside their own after they passed.
#pragma once

#include <string>
#include <string_view>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"
#include "harness/model/reference_work.h"

namespace warpmark::assignment_check {

// Returns the first sentence of the comment that a source file begins with, without the words "What changes:"
// or "What it does:"; empty if the file begins with no comment.
std::string first_sentence(std::string_view source);

// Counts the work of the solutions with the least and the greatest input for which gradings count it. Without
// the check `work`, and for programs, records what each version teaches alone. Throws AssignmentFault.
Result<ReferenceWork> record_work(const Setting& setting);

// Returns findings on the record in the assignment's folder: that it cannot be read (open), is missing or
// stale (remarks), or holds.
std::vector<AssignmentFinding> findings_of_record(const judge::Rubric& rubric);

}  // namespace warpmark::assignment_check
