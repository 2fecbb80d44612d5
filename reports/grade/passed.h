// Words for help after a version has passed: its figures of work beside others, and what is still to gain.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// One figure of a call's work, for a table row.
struct WorkFigure {
  std::string_view title;    // "sectors"
  std::string_view meaning;  // what one of them is, in plain words
  std::string_view remedy;   // what usually saves them; empty: nothing is advised on this figure
  // Issue slots of the GPU that one of them takes, to rank what is to gain; 0: the figure is not ranked.
  double cost = 0;
  std::function<double(const WorkFigures&)> value;
};

// Returns all figures, in the order of a table's rows.
const std::vector<WorkFigure>& work_figures();

// Formats a figure with three significant digits, and whole numbers in full: "4", "4.02", "262,144".
std::string figure_text(double value);

// Returns one sentence on the figure that costs the version most beside the course's solution, or, where none
// stands out, beside the next version's. Says so if nothing stands out; empty if there is nothing to compare.
std::string still_to_gain(const PassedVersion& version);

// Returns "v03: as v02, but a thread's values are a whole grid apart."; without a known sentence the name
// alone. Empty for the last version.
std::string next_step(const PassedVersion& version);

// Returns the version whose next step is to be shown first: the one that passed last in teaching order before
// a version that has not passed. nullptr: none passed, or all.
const PassedVersion* furthest(const Grade& grade);

}  // namespace warpmark
