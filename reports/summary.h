// What the console and the page have in common: the same words for the same verdicts, the same table, the
// same groups. Nothing is decided here; everything is read off the grade, and lives no longer than it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/model/grade.h"

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

// One version: what it got, a cell a column, null where the rubric does not ask.
struct TableRow {
  std::string version;
  std::vector<const CheckResult*> cells;
  double points = 0;
  double possible = 0;
};

// Rows and columns in order of first appearance, which is the rubric's.
struct Table {
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  std::vector<const CheckResult*> whole_submission;
};
Table table_of(const Grade& grade);

// Checks that were not decided for one and the same reason.
struct NotDecided {
  std::string check;
  std::optional<CauseKind> kind;
  std::string reason;                      // follows the check's name: "needs a GPU, and there is none here"
  std::string advice;                      // what to do about it
  std::vector<const CheckResult*> checks;  // at least one
};

struct Groups {
  std::vector<const CheckResult*> failed;    // for any reason but not_implemented
  std::vector<const CheckResult*> broken;    // our fault
  std::vector<std::string> not_implemented;  // versions
  std::vector<NotDecided> not_decided;       // what only waits for an earlier check is in no group
};
Groups groups_of(const Grade& grade);

// "48 of 60 points; 40 more need a GPU"
std::string score_line(const Score& score);
// The parts of it that stand apart on the page; empty where there is nothing to say.
std::string needs_gpu_text(const Score& score);
std::string taken_out_text(const Score& score);

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
