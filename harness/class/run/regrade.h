// Compares the grades of a regrade with the current ones, before the instructor applies or discards them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"

namespace warpmark::classroom {

struct ChangedCheck {
  std::string id;     // check's ID: "reduction.v07_tree_sequential.correct"
  double before = 0;  // points for the check by the current grade
  double after = 0;
  std::string why;  // verdict of the check in the new grade, and its explanation
};

struct Change {
  std::string student;  // student's ID
  double before = 0;    // points by the current grade, without correction and late policy
  double after = 0;
  // Remark if only one of the two grades exists, such as "had no grade, and would have one".
  std::string note;
  std::vector<ChangedCheck> checks;
};

// Returns the students whose points, checks or state differ between the current grades and the regrade.
std::vector<Change> changes_in(const Journal& journal, const TakenClass& taken);

// Writes `<out>/regrade/regrade.csv`, with one row per changed check.
void write_changes(const std::filesystem::path& out, const std::vector<Change>& changes);

}  // namespace warpmark::classroom
