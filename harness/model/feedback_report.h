// Result of `warpmark assignment check --feedback`: how often the first cause that a student sees names the
// line and the kind of a mistake. The mistakes are mutants, whose place and kind are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// A mutant that failed, and the first cause on its page.
struct FeedbackMutant {
  std::string version;
  std::string file;
  std::string kind;  // name of the mutation operator: "barrier"
  int line = 0;      // number of the changed line
  std::string line_text;
  std::string edit;
  std::string check;    // first check that reports the cause; empty: a check failed without a cause
  std::string cause;    // kind of the cause: "race"
  std::string mistake;  // kind of mistake that the cause recognised: "swapped_indices"; empty: none
  std::string message;  // text of the cause
  // Lines of the changed file that the cause names; see lines_named_by().
  std::vector<int> named_lines;
};

// Returns true if the cause names the changed line, within two lines.
bool names_line(const FeedbackMutant& mutant);

// Returns true if the cause says what kind of mistake was made: by its kind ("race" for a dropped barrier),
// by the mistake that it recognised, or in words. A symptom, such as "wrong output", names no mistake.
bool names_kind(const FeedbackMutant& mutant);
// Returns true if names_kind() can be true for the mutation operator.
bool has_naming(std::string_view operator_name);

struct FeedbackReport {
  std::string assignment;
  std::string tool_version;
  std::string made_at;  // UTC date
  std::string machine;  // processor and number of its threads
  std::uint64_t seed = 0;
  std::size_t all_mutants = 0;  // number of mutants that exist
  std::size_t graded = 0;       // size of the sample that was graded
  std::size_t no_program = 0;   // mutants of the sample that do not compile: the compiler names their line
  std::size_t passed = 0;       // mutants of the sample that no check failed
  std::vector<FeedbackMutant> mutants;
};

// Numbers of failing mutants of one kind, or of all kinds.
struct FeedbackCount {
  std::string kind;
  std::size_t failed = 0;
  std::size_t line = 0;      // mutants whose line is named
  std::size_t kind_too = 0;  // mutants whose kind of mistake is named
  std::size_t both = 0;
};

// Counts a report's mutants, all together and by kind; the kinds whose line or kind of mistake is named least
// often come first.
FeedbackCount count_of(const std::vector<FeedbackMutant>& mutants);
std::vector<FeedbackCount> counts_by_kind(const std::vector<FeedbackMutant>& mutants);

// Write and read the file, schema "warpmark.feedback/1".
std::string to_json(const FeedbackReport& report);
Result<FeedbackReport> feedback_from_json(const std::string& text);

}  // namespace warpmark
