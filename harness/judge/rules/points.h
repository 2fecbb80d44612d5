// What the checks of a rubric are worth: points, points in steps, bonus points, and a contest within a class.
#pragma once

#include <string>
#include <vector>

#include "harness/assignments/size.h"

namespace warpmark::judge {

struct Worth {
  double points = 0;  // part of the possible points
  double bonus = 0;   // beside the possible points
};

// What the speeds of the check `fast` are multiples of.
enum class SpeedUnit {
  naive,      // speed of the naive kernel
  reference,  // speed of the course's own file of the same version
  core,       // plain C++ code: speed of the sequential version, for each core used
};

struct SpeedStep {
  double at_least = 0;  // required speed in the version's unit, above 0
  double points = 0;    // points that it adds to those of the steps before
  bool bonus = false;   // the points stand beside the possible ones
};

// Input sizes that earn a part of the points of `correct` if all of them are right.
struct SizeGroup {
  std::string name;
  std::vector<Size> sizes;  // some of the rubric's correct.sizes; in no other group
  double points = 0;        // of those of `correct` under [points]; other versions' in proportion
};

// Bonus points for the versions whose speed is near that of the fastest right one of the class.
struct Contest {
  struct Step {
    double within = 1;  // the fastest submission is at most this many times as fast
    double points = 0;  // bonus points in all from this step on
  };
  std::vector<Step> steps;            // descending `within`, ascending points; at least one
  std::vector<std::string> versions;  // each has the check `fast`
};

}  // namespace warpmark::judge
