// Converts a grade to the formats of Gradescope and GitHub Classroom. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Adjustments of a grade by the class: lateness and corrections.
struct Adjusted {
  double points = 0;               // final points, adjusted
  std::vector<std::string> lines;  // one sentence per adjustment
};

// Returns Gradescope's results.json: one test per check; undecided points appear as tests without a score.
// adjusted: null for a single grade; otherwise its points are the total, and each of its lines becomes a
// test.
std::string gradescope_results(const Grade& grade, const Adjusted* adjusted);

// Returns the result for GitHub Classroom as JSON; the step output expects it encoded with base64().
std::string classroom_result(const Grade& grade, const Adjusted* adjusted);
std::string base64(std::string_view bytes);

}  // namespace warpmark
