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
  double low = 0;  // lower end of the confidence interval of a bar's value; both ends 0: no interval is drawn
  double high = 0;
  double asked = 0;  // required value (a threshold), drawn as a line across the bar; 0: none
  double one = 0;    // value at which a reference line crosses the bar; 0: no line
  // Lower end of the range of values of the course's own solution, drawn behind the bar; 0 to 0: unknown.
  double reference_low = 0;
  double reference_high = 0;
  bool good = true;
};

// Draws a horizontal bar as SVG. most: value at the right end of its axis, which begins at 0.
std::string bar_svg(const Bar& bar, double most);

// Points by fate (earned, lost, not started, undecided), drawn as the coloured parts of a bar; a part of 0
// points is left out.
struct ScoreParts {
  double earned = 0;
  double lost = 0;
  double not_started = 0;
  double open = 0;
};
std::string score_svg(const ScoreParts& parts);

// Draws an input array of n elements as a strip that marks the elements that a student's wrong sum leaves out
// or adds more than once. block: threads per block, drawn as a line after each such number of elements; 0: no
// lines. Returns an empty string if there are none.
std::string elements_svg(const std::vector<ElementCount>& elements, std::uint64_t n, std::uint64_t block = 0);
// Returns true if elements_svg() draws lines for blocks of this size.
bool draws_blocks(std::uint64_t n, std::uint64_t block);

// Draws which inputs wrong outputs are made of, a row of cells per output, for at most kMostUses outputs of
// kMostInputs inputs; empty if there are none or more inputs.
inline constexpr std::size_t kMostUses = 12;
inline constexpr std::size_t kMostInputs = 128;
std::string uses_svg(const std::vector<OutputUses>& uses);

// Draws measured times as dots on an axis from 0 to `most` milliseconds.
std::string samples_svg(const std::vector<double>& milliseconds, double most);

// Draws a fraction, 0 to 1, as a small bar.
std::string share_svg(double share);

}  // namespace warpmark
