// What a regrade would change, before it changes anything.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/class/journal/journal.h"

namespace warpmark::classroom {

struct ChangedCheck {
  std::string id;     // "reduction.v07_tree_sequential.correct"
  double before = 0;  // points
  double after = 0;
  std::string why;  // the verdict and the cause's message of the new grade
};

struct Change {
  std::string student;  // id
  double before = 0;    // points; corrections and the late policy left out
  double after = 0;
  std::string note;  // where one of the two has no grade
  std::vector<ChangedCheck> checks;
};

// The students whose points, checks or state differ between the journal's two shelves.
std::vector<Change> changes_in(const Journal& journal, const TakenClass& taken);

// `<out>/regrade/regrade.csv`, a row a check.
void write_changes(const std::filesystem::path& out, const std::vector<Change>& changes);

}  // namespace warpmark::classroom
