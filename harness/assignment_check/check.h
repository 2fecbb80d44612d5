// Checks whether an assignment is ready for students: its files, what its points are worth, and its tests (by
// mutation testing).
#pragma once

#include <string>

#include "harness/assignment_check/setting.h"
#include "harness/model/assignment_report.h"
#include "harness/model/feedback_report.h"
#include "harness/model/reference_work.h"

namespace warpmark::assignment_check {

// Runs all checks of an assignment. Fails if the assignment does not exist, or if this machine has neither a
// GPU nor the simulator to grade on.
Result<AssignmentReport> check_assignment(const judge::Installation& installation,
                                          const CheckOptions& options);

// Returns proposed limits on the work counters of an assignment's kernels, as TOML. Fails if the assignment
// does not exist, its files are wrong, or this machine has no simulator.
Result<std::string> propose(const judge::Installation& installation, const CheckOptions& options);

// Measures how often the first cause that a student sees names the line and the kind of a mistake, on a
// sample of mutants of the solutions. Fails like propose().
Result<FeedbackReport> feedback(const judge::Installation& installation, const CheckOptions& options);

// Counts the work of the solutions for reference.json; see record_work(). Fails like propose().
Result<ReferenceWork> record(const judge::Installation& installation, const CheckOptions& options);

// Returns the assignment's reference.json.
Result<std::filesystem::path> record_file(const judge::Installation& installation,
                                          const CheckOptions& options);

}  // namespace warpmark::assignment_check
