// Counts the work of an assignment's solutions on the simulator, as the check `work` does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/assignment_check/setting.h"
#include "harness/judge/cases/device_work.h"
#include "harness/model/grade.h"

namespace warpmark::assignment_check {

// One call of a solution, and its work.
struct CountedSolution {
  std::string version;
  Case which;
  judge::DeviceWork work;
  Counted counted;  // the work in the form in which a grade stores it
};

// Calls each solution with a kernel once, in the rubric's order. size: input size; nullopt: the one that a
// grading with the option `seed` draws. Fails if a solution does not build or its answer is wrong. Throws
// AssignmentFault.
Result<std::vector<CountedSolution>> count_solutions(const Setting& setting,
                                                     const std::optional<Size>& size = std::nullopt);

}  // namespace warpmark::assignment_check
