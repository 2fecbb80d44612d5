// What the console and the page have in common: the same words for the same verdicts and figures.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"
#include "harness/model/overview.h"

namespace warpmark {

enum class Tone { good, bad, to_do, doubtful, quiet };

// How a check stands, in words that need no colour.
struct Status {
  std::string_view word;   // on a terminal
  std::string_view label;  // on the page; empty where a dash will do
  std::string_view meaning;
  Tone tone = Tone::quiet;
};
Status status_of(const CheckResult& check);

// Why a group of checks was not decided, as it follows the check's name, and what to do about it.
struct Explained {
  std::string reason;
  std::string advice;
};
Explained explained(const NotDecided& group);

// Checks that passed without points, by the reason that their notes give: "a.builds, a.clean", "...".
struct Unearned {
  std::vector<std::string> checks;
  std::string reason;
};
std::vector<Unearned> by_reason(const std::vector<const CheckResult*>& unearned);

// "74 of 100 points; 20 open: they need a GPU"
std::string score_line(const Score& score);
// "20 open: they need a GPU"; empty where nothing is open.
std::string open_text(const Score& score);

// "8 of 8", or "-" where nothing could be had.
std::string points_text(double points, double possible);

// The grade in one sentence.
std::string headline(const Grade& grade, const Groups& groups);
// "61 passed, 3 failed, 18 not implemented, 20 not run"
std::string counts_line(const Grade& grade);

// "int, n = 1023, seed 0x1f" for what is known of the input; empty when nothing is.
std::string input_line(const Cause& cause);
// "v07_tree_sequential.cu:31", without the line when it is not known; empty without a file.
std::string place_of(const Cause& cause);

// "tree: 4 blocks of 256 threads, 1,024 bytes of shared memory a block"
std::string launch_text(const LaunchShape& launch);

// How fast a version works, in what its assignment counts: "3021" and "GB/s", or "41,022" and "GFLOP/s".
struct Rate {
  double value = 0;
  std::string_view unit;
};
Rate rate_of(const Measurement& measured);

// Four significant digits, in milliseconds.
std::string milliseconds(double value);
// "5.48 to 5.52", or "-" where there is none.
std::string span_text(const std::optional<Span>& span, int digits);
// How a measurement came to its end, in a few words.
std::string decided_text(const Measurement& measured);
// Where the thresholds come from, and what to do about it if they are defaults.
std::string calibration_text(const Timing& timing);
// "2 other processes, 1980 MHz, 41 degrees, slowed down by: power limit"; empty where nothing is known.
std::string conditions_text(const Conditions& conditions);

// Rounded to a whole number.
std::string whole(double value);
// Two digits, rounded down: a speedup of 4.999 must not read as the 5 that was asked.
std::string speedup_text(double value);

}  // namespace warpmark
