// What Gradescope and GitHub Classroom read of a single grade. Pure functions of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// What a class makes of a grade: lateness and corrections.
struct Adjusted {
  double points = 0;               // the final ones
  std::vector<std::string> lines;  // a sentence an adjustment
};

// Gradescope's results.json: a test a check, points that are open as tests without a score. adjusted: null
// for a single grade; else its points count, and its lines stand as tests of their own.
std::string gradescope_results(const Grade& grade, const Adjusted* adjusted);

// GitHub Classroom's result: what its step output holds, as JSON, and in the base64 that it wants.
std::string classroom_result(const Grade& grade, const Adjusted* adjusted);
std::string base64(std::string_view bytes);

}  // namespace warpmark
