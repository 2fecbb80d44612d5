// A grade with everything in it that a report has to show: each verdict, each way of not being decided,
// measurements.
#pragma once

#include <functional>
#include <string>

#include "harness/model/grade.h"

namespace warpmark {

// Simulator and GPU were asked; one failure of every sort, noise, a fault of ours, stubs, a library that has
// no check.
Grade sample_grade();

// The student's machine without a GPU: everything written so far is right, `fast` needs a GPU.
Grade sample_grade_without_gpu();

// Calls `change` with every text of the grade that is not empty.
void for_each_text(Grade& grade, const std::function<void(std::string&)>& change);

}  // namespace warpmark
