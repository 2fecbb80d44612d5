// Help after a version has passed: its counted work as figures to compare with others.
#pragma once

#include <string>

#include "harness/model/grade.h"

namespace warpmark {

// Sums a call's counters over its kernels.
WorkFigures figures_of(const Counted& counted);

// Returns true if the version's answers are right and no check of it failed. Checks that could not be decided
// on this machine do not count.
bool has_passed(const Grade& grade, const std::string& version);

// Adds to the passed versions of a grade their work in the student's grade before it. Grades of other
// assignments or submissions have no effect, nor has one of the same files: grading twice gives the same.
void add_last_grade(Grade& grade, const Grade& last);

}  // namespace warpmark
