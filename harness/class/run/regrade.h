// Compares the grades of a regrade with the current ones, before the instructor applies or discards them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

struct ChangedCheck {
  std::string id;     // check's ID: "reduction.v07_tree_sequential.correct", or "contest.v07_tree_sequential"
  double before = 0;  // points with bonus that the current grade gives for the check
  double after = 0;
  std::string why;  // verdict of the check in the regrade, and its explanation
};

struct Change {
  std::string student;  // student's ID
  double before = 0;    // points with bonus by the current grade, without correction and late policy
  double after = 0;
  // Remark if only one of the two grades exists, such as "had no grade, and would have one".
  std::string note;
  std::vector<ChangedCheck> checks;
};

// Maps a student's ID to the bonus points that the student won in contests.
using Won = std::map<std::string, std::vector<ContestShare>>;

// Returns the students whose points, checks, contests or state differ between the current grades and the
// regrade.
std::vector<Change> changes_in(const Journal& journal, const TakenClass& taken, const Won& won_before = {},
                               const Won& won_after = {});

// Writes `<out>/regrade/regrade.csv`, with one row per changed check.
void write_changes(const std::filesystem::path& out, const std::vector<Change>& changes);

}  // namespace warpmark::classroom
