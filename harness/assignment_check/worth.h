// Checks what submissions earn that should earn little (the unedited template, the naive version under other
// names, each version's solution in the next one's place), and that the reference solution earns everything.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/assignment_check/survivors.h"
#include "harness/assignment_check/trial_submission.h"
#include "harness/model/assignment_report.h"
#include "harness/model/grade.h"

namespace warpmark::assignment_check {

// Replaces a function's name by another in the code of a source; comments and literals stay.
std::string renamed(const std::string& source, const std::string& from, const std::string& to);

// Default for the share of a version's points that the naive version may earn when it is submitted in that
// version's place.
inline constexpr double kNaiveMayEarn = 0.4;

struct WorthResult {
  std::vector<WorthRow> rows;
  // Findings on kernel versions that test nothing new: the previous version's solution passes them, or they
  // require only the right answer.
  std::vector<AssignmentFinding> gaps;
  std::vector<CheckCost> costs;  // grading times of the reference solution
  // Duration in seconds of the check `correct` for the reference solution, by version.
  std::map<std::string, double> correct_seconds;
  // Per version and check: a trial submission (template, naive version or the previous version's solution)
  // that fails the check.
  Failed failed;
  std::vector<std::string> sound;  // versions for which the reference solution loses no points
};

// Grades the reference solution, the unedited template, the naive version in the place of the others, and
// each version's solution in the next one's place. Fails if a submission cannot be graded at all. Throws
// AssignmentFault.
Result<WorthResult> worth_of(const Setting& setting);

}  // namespace warpmark::assignment_check
