// How the versions of a grade stand, and what failed in each: `correct` and `clean` of one version often see
// one fault, which is told once, and the cause that names a line helps most.
#pragma once

#include <string>
#include <vector>

#include "harness/model/grade.h"
#include "harness/model/overview.h"

namespace warpmark {

// One fault, and the checks that it fails. Points into the grade.
struct CardCause {
  const Cause* cause = nullptr;
  Engine engine = Engine::simulator;  // of the first of the checks
  std::vector<std::string> checks;    // "correct", "clean"
};

// What failed in one version, or in a check of the whole submission.
struct Card {
  std::string name;  // of the version, or of the check
  bool whole = false;
  std::vector<const CheckResult*> checks;  // that failed
  std::vector<CardCause> causes;           // the one to begin with first; empty where the grade says nothing
  double lost = 0;                         // points
};

// In the order of the rubric; versions that were not begun have none.
std::vector<Card> cards_of(const Grade& grade);

enum class Standing { works, fails, not_started, undecided };

// A version that cannot be decided here in some check, and else passes, works as far as is known.
Standing standing_of(const TableRow& row);

// Points that the versions which were not begun would give; part of what the score lost.
double points_not_started(const Table& table);

// "3 of 19 versions work, 6 do not yet, 10 are not started"
std::string versions_line(const Table& table);

}  // namespace warpmark
