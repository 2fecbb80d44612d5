// What submissions that teach nothing earn: the template, the naive version under other names, a neighbour's
// file. And that the reference earns everything.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/assignment_check/survivors.h"
#include "harness/model/assignment_report.h"
#include "harness/model/grade.h"

namespace warpmark::assignment_check {

// Files of a submission, by name.
using Files = std::map<std::string, std::string>;

// Replaces a function's name by another in the code of a source; comments and literals stay.
std::string renamed(const std::string& source, const std::string& from, const std::string& to);

// Share of a version's points that the naive version may earn under its name, unless its rule gives another.
inline constexpr double kNaiveMayEarn = 0.4;

struct WorthResult {
  std::vector<WorthRow> rows;
  std::vector<AssignmentFinding>
      gaps;                      // neighbours that earn the same, versions that only ask for the right answer
  std::vector<CheckCost> costs;  // of the reference
  std::map<std::string, double> correct_seconds;  // of the reference on the simulator, by version
  Failed failed;                                  // by the template, the naive version and the neighbours
  std::vector<std::string> sound;                 // versions whose reference earns everything
};

// Grades the reference, the template, the naive version and the neighbours. Fails if a grading is not
// possible at all. Throws AssignmentFault.
Result<WorthResult> worth_of(const Setting& setting);

}  // namespace warpmark::assignment_check
