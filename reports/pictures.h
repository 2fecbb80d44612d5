// Drawings of a grade as inline SVG. Text stands beside them in the page, so that it stays readable at every
// width; colours are the page's (templates/style.mustache).
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// What stands where on a row of bars, all in one unit.
struct Bar {
  double value = 0;
  double low = 0;  // of its interval; both 0: none
  double high = 0;
  double asked = 0;          // 0: no threshold
  double one = 0;            // a line for comparison; 0: none
  double reference_low = 0;  // what the course's solution reached; both 0: not known
  double reference_high = 0;
  bool good = true;
};

// One bar of a chart from 0 to `most`, as wide as its place.
std::string bar_svg(const Bar& bar, double most);

// The score as one bar; parts of 0 are left out.
struct ScoreParts {
  double earned = 0;
  double lost = 0;
  double not_started = 0;
  double open = 0;
};
std::string score_svg(const ScoreParts& parts);

// The input of n values as a strip, with the elements that do not count once. Empty without such elements.
std::string elements_svg(const std::vector<ElementCount>& elements, std::uint64_t n);

// Samples as dots along a line from 0 to `most` milliseconds.
std::string samples_svg(const std::vector<double>& milliseconds, double most);

// A share of a whole, 0 to 1, as a small bar.
std::string share_svg(double share);

}  // namespace warpmark
