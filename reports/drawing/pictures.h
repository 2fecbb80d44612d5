// Draws parts of a grade as inline SVG. Labels are HTML text beside the drawings, so that labels stay legible
// at every width; the page's style sheet (templates/style.mustache) sets the colours.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"

namespace warpmark {

// Values of one bar in a chart of speedups or times, all in the same unit.
struct Bar {
  double value = 0;
  double low = 0;  // lower end of the confidence interval; both ends 0: no interval
  double high = 0;
  double asked = 0;          // required value (threshold); 0: none
  double one = 0;            // position of a reference line on the axis; 0: none
  double reference_low = 0;  // lowest value of the course's own solution; range 0 to 0: unknown
  double reference_high = 0;
  bool good = true;
};

// Draws one bar on an axis from 0 to `most`.
std::string bar_svg(const Bar& bar, double most);

// The parts of the score bar; parts of 0 are left out.
struct ScoreParts {
  double earned = 0;
  double lost = 0;
  double not_started = 0;
  double open = 0;
};
std::string score_svg(const ScoreParts& parts);

// Draws an input of n values as a strip that marks the elements that a wrong sum does not count exactly once.
// Empty if there are none.
std::string elements_svg(const std::vector<ElementCount>& elements, std::uint64_t n);

// Draws measured times as dots on an axis from 0 to `most` milliseconds.
std::string samples_svg(const std::vector<double>& milliseconds, double most);

// Draws a fraction, 0 to 1, as a small bar.
std::string share_svg(double share);

}  // namespace warpmark
