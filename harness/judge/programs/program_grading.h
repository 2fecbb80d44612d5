// Grades a submission of whole programs (kind = "program" in assignment.toml), on a GPU if there is one, else
// on the simulator.
#pragma once

#include "harness/base/error.h"
#include "harness/judge/grade_options.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/course.h"
#include "harness/judge/workers/engines.h"

namespace warpmark::judge {

// Builds and runs whole programs: every selected program of the submission, on the assignment's test cases.
// Fails if the options ask for something that programs do not have, such as --size. Throws AssignmentFault if
// the course is at fault.
Result<Grade> grade_programs(const Installation& installation, const GradeOptions& options,
                             const Course& course, const Submission& submission, const Engines& engines);

// Returns a cause of kind not_implemented if every source file of a submitted program is still as it was
// given to students.
std::optional<Cause> still_the_template(const Submission& submission, const Rubric& rubric,
                                        const VersionRule& version);

}  // namespace warpmark::judge
