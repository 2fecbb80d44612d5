// Converts a grade to the formats of Gradescope and GitHub Classroom. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Changes to a student's grade after grading: the deduction for lateness and the instructor's correction.
struct Adjusted {
  double points = 0;  // a student's points after the deduction for lateness and the instructor's correction
  // One sentence per change of a student's points, such as a deduction for lateness.
  std::vector<std::string> lines;
};

// Returns Gradescope's results.json: one test per check; undecided points appear as tests without a score.
// adjusted: null for a grade without changes; otherwise its points are the total, and each of its lines
// becomes a test.
std::string gradescope_results(const Grade& grade, const Adjusted* adjusted);

// Returns the result for GitHub Classroom as JSON; Classroom expects it in a step output, encoded with
// base64().
std::string classroom_result(const Grade& grade, const Adjusted* adjusted);
std::string base64(std::string_view bytes);

}  // namespace warpmark
