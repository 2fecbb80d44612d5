// Wording of verdicts and figures that a grade's terminal report and HTML page share.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"
#include "harness/model/overview.h"

namespace warpmark {

enum class Tone { good, bad, to_do, doubtful, quiet };

// Appearance of a check's state: CSS class and symbol on an HTML page, and SGR colour code on a terminal.
struct Look {
  std::string_view css_class;
  std::string_view mark;
  std::string_view colour;
};
constexpr Look look_of(Tone tone) {
  constexpr std::array<Look, 5> looks{{{"good", "\u2713", "32"},   // check mark
                                       {"bad", "\u2717", "1;31"},  // ballot x
                                       {"to-do", "\u25CB", "36"},  // circle
                                       {"doubtful", "?", "33"},
                                       {"quiet", "", "2"}}};
  return looks[static_cast<std::size_t>(tone)];
}

// The state of a check in words, for readers who cannot see colours.
struct Status {
  std::string_view word;   // word for a check's state on a terminal
  std::string_view label;  // word for a check's state on an HTML page; empty: the page shows a dash
  std::string_view meaning;
  Tone tone = Tone::quiet;
};
Status status_of(const CheckResult& check);

// Reason why a group of checks was not decided, phrased to follow the check's name, and advice.
struct Explained {
  std::string reason;
  std::string advice;
};
Explained explained(const NotDecided& group);

// Names of checks (such as "tree.builds") that earn no points for the same reason, and the reason.
struct Unearned {
  std::vector<std::string> checks;
  std::string reason;
};
// Returns the heading above a list of checks that earn no points: "Passed without points" if all of them
// passed.
std::string_view unearned_title(const std::vector<const CheckResult*>& unearned);
std::vector<Unearned> by_reason(const std::vector<const CheckResult*>& unearned);

// Returns a text such as "74 of 100 points and 3 bonus points; 20 open: they need a GPU".
std::string score_line(const Score& score);
// Returns a text on the points that could not be decided, such as "20 open: they need a GPU"; "" if all
// points are decided.
std::string open_text(const Score& score);

// Returns "3 bonus points", or "" if there are none.
std::string bonus_text(const Score& score);

// Returns points as text: "8 of 8", "8 of 8 +2" with two bonus points, or "-" if no points can be earned.
std::string points_text(double points, double possible, double bonus, double bonus_possible);
// Returns the points of a check or of a table row as text, such as "8 of 8 +2".
std::string points_text(const auto& of) {
  return points_text(of.points, of.possible, of.bonus, of.bonus_possible);
}

// Returns a text such as "1 point: sizes: small" on a part of a check's points.
std::string part_text(const PointPart& part);

// Summarises the grade in one sentence.
std::string headline(const Grade& grade, const Groups& groups);
// Returns a text such as "61 passed, 3 failed, 18 not implemented, 20 not run".
std::string counts_line(const Grade& grade);

// Returns a text on the known parts of a test input: "int, n = 1023, seed 0x1f"; empty if nothing is known.
std::string input_line(const Cause& cause);
// Returns "v07_tree_sequential.cu:31", without the line if it is unknown; empty without a file.
std::string place_of(const Cause& cause);

// Returns a text such as "tree: 4 blocks of 256 threads, 1,024 bytes of shared memory per block".
std::string launch_text(const LaunchShape& launch);

// Measured throughput of a kernel file, in its assignment's unit: "3021" and "GB/s", or "41,022" and
// "GFLOP/s".
struct Rate {
  double value = 0;
  std::string_view unit;
};
Rate rate_of(const Measurement& measured);

// Formats milliseconds with four significant digits.
std::string milliseconds(double value);
// Formats a confidence interval as "5.48 to 5.52", or "-" if there is none.
std::string span_text(const std::optional<Span>& span, int digits);
// Returns why the timing of a kernel was ended, in a few words: "certainly fast enough", "not decided: the
// GPU was not quiet".
std::string decided_text(const Measurement& measured);
// Returns a text on the required speedups: on which GPU model they were measured, or that they are the
// rubric's defaults and how to calibrate this machine.
std::string calibration_text(const Timing& timing);
// Returns the GPU's state during a measurement: "2 other processes, 1980 MHz, 41 degrees, slowed down by:
// power limit"; empty if nothing is known.
std::string conditions_text(const Conditions& conditions);

// Formats a number rounded to an integer.
std::string whole(double value);
// Formats two digits after the point, rounded down: 4.999 must not read as 5 if a speedup of 5 is required.
std::string speedup_text(double value);

// Returns which versions a GPU alone has judged, those with the same reason together, and what was not looked
// for in them: "v19_thrust, v20_cub (reason): nobody looked for ..."; empty if there are none.
std::string unwatched_text(const Grade& grade);

// Returns " (on ssh:gpu01)" for an engine of another machine; empty for this one's.
std::string place_text(const std::string& where);

}  // namespace warpmark
