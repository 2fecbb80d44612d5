// Groups the failures of a grade by version. `correct` and `clean` often fail because of the same fault; it
// is reported once, preferably with a cause that names a line.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"
#include "harness/model/overview.h"

namespace warpmark {

// One fault and the checks that it fails. Holds pointers into the grade.
struct CardCause {
  const Cause* cause = nullptr;
  Engine engine = Engine::simulator;  // engine of the first of the checks
  std::vector<std::string> checks;    // "correct", "clean"
};

// The failures of one version, or of a check of the whole submission.
struct Card {
  std::string name;  // name of the version or check
  bool whole = false;
  std::vector<const CheckResult*> checks;  // the failed checks
  std::vector<CardCause> causes;           // most helpful first; empty if the grade has none
  double lost = 0;                         // points lost
};

// Returns the cards in the rubric's order; versions that were not started have none.
std::vector<Card> cards_of(const Grade& grade);

enum class Standing { works, fails, not_started, undecided };

// A version works, as far as is known, if some checks cannot be decided here and all others pass.
Standing standing_of(const TableRow& row);

// Returns the points of versions that were not started; they are part of the score's lost points.
double points_not_started(const Table& table);

// Returns a text such as "3 of 19 versions work, 6 do not yet, 10 are not started".
std::string versions_line(const Table& table);

}  // namespace warpmark
