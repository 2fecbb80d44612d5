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
  naive,      // speedup over the naive kernel
  reference,  // speedup over the course's own file of the same version
  core,       // plain C++ code: speedup over the sequential version, divided by the number of cores
};

struct SpeedStep {
  double at_least = 0;  // required speedup over the version's baseline, above 0
  double points = 0;    // points of this speed step, in addition to those of all slower steps
  bool bonus = false;   // true: bonus points, which do not count towards a grade's maximum
};

// Input sizes that earn a part of the points of `correct` if all of them are right.
struct SizeGroup {
  std::string name;
  std::vector<Size> sizes;  // input sizes of the check `correct`; no size is in two groups
  // group's share of the points of `correct` in [points]; scaled if a version has other points
  double points = 0;
};

// Bonus points for the versions whose speed is near that of the fastest right one of the class.
struct Contest {
  struct Step {
    double within = 1;  // step reached if the fastest submission is at most this many times as fast
    double points = 0;  // total bonus points of a submission that reaches this step and no better one
  };
  std::vector<Step> steps;            // bonus steps: `within` descending, `points` ascending; at least one
  std::vector<std::string> versions;  // versions with a contest; each has the check `fast`
};

}  // namespace warpmark::judge
