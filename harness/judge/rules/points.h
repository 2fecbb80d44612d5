// What the checks of a rubric are worth: points, points in steps, bonus points, and a contest within a class.
#pragma once

#include <string>
#include <vector>

#include "harness/assignments/size.h"

namespace warpmark::judge {

struct Worth {
  double points = 0;  // points that count towards the maximum of a grade
  double bonus = 0;   // bonus points, which do not count towards the maximum of a grade
};

// Baseline over which the check `fast` requires a speedup.
enum class SpeedUnit {
  naive,      // speedup over the assignment's naive kernel
  reference,  // speedup over the course's own solution of the same kernel
  core,       // plain C++ code: speedup over the sequential version, divided by the number of cores
};

struct SpeedStep {
  double at_least = 0;  // speedup over the baseline that earns the points of a speed step, above 0
  double points = 0;    // points of this speed step, in addition to those of all slower steps
  bool bonus = false;   // true: bonus points, which do not count towards a grade's maximum
};

// Input sizes that earn a part of the points of `correct` if all of them are right.
struct SizeGroup {
  std::string name;
  std::vector<Size> sizes;  // input sizes of the check `correct`; no size is in two groups
  // points of `correct` for right results at all sizes of the group; scaled if a kernel file has points other
  // than those in [points]
  double points = 0;
};

// Contest within a class: a kernel file earns bonus points if its speed is near that of the class's fastest
// right one.
struct Contest {
  struct Step {
    double within = 1;  // step reached if the fastest submission is at most this many times as fast
    double points = 0;  // total bonus points of a submission that reaches this step and no better one
  };
  std::vector<Step> steps;  // bonus steps: `within` descending, `points` ascending; at least one
  // kernel files that take part in the class's contest; each has the check `fast`
  std::vector<std::string> versions;
};

}  // namespace warpmark::judge
