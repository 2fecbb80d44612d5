// Groups the failures of a grade by version (one .cu or .cpp file of the student). The checks `correct` and
// `clean` often fail because of the same fault, which is then reported once, preferably with a cause that
// names a line.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"
#include "harness/model/overview.h"

namespace warpmark {

// One fault and the checks that fail because of it. Holds pointers into the grade, which must outlive it.
struct CardCause {
  const Cause* cause = nullptr;
  // Engine (GPU, simulator, sanitizer, ...) that ran the first of the checks that failed because of this
  // fault.
  Engine engine = Engine::simulator;
  std::vector<std::string> checks;  // names of the failed checks: "correct", "clean"
};

// Card on a report: the failed checks of one kernel file, or a failed check of the submission as a whole.
struct Card {
  std::string name;  // heading of the card: name of the kernel file, or of a check of the whole submission
  bool whole = false;
  std::vector<const CheckResult*> checks;
  std::vector<CardCause> causes;  // the failures' causes, most helpful first; empty if the grade has none
  double lost = 0;                // points lost by the card's failed checks
  bool in_steps = false;          // true: the page shows the help on each cause one step at a time
};

// Returns a report's cards, in the rubric's order: one per kernel file with its failed checks. A kernel file
// that the student has not started has no card.
std::vector<Card> cards_of(const Grade& grade);

enum class VersionState { works, fails, not_started, undecided };

// State of one kernel file, for a summary. A file counts as working if no check failed, even if some checks
// cannot be decided on this machine.
VersionState standing_of(const TableRow& row);

// Returns the points of kernel files that the student has not started; the score counts these points as
// lost.
double points_not_started(const Table& table);

// Returns a text on the state of a student's kernel files, such as "3 of 19 versions work, 6 do not yet, 10
// are not started".
std::string versions_line(const Table& table);

}  // namespace warpmark
