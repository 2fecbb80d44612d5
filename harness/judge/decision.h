// What decides, what it costs: the one table that turns a cause into a verdict, points and exit status.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "reports/grade.h"

namespace warpmark::judge {

struct DecisionRule {
  CauseKind cause;
  Verdict verdict;
  bool stays_possible;  // the points count in `possible` although they are not earned
  int exit;
};

// One row a kind of cause.
std::span<const DecisionRule> decision_table();
const DecisionRule& decide(CauseKind cause);

// The verdict, points and taken-out points of a check that the rubric gives `worth` points, from its causes.
// No cause is `passed`, so call this only for a check that was carried out. Of several causes the first fault
// of the submission decides, else the one with the highest exit status; it is moved to the front.
void settle(CheckResult& check, double worth);

// The sums over all checks, and the highest exit status that applies.
Score score_of(std::span<const CheckResult> checks);
int exit_status_of(std::span<const CheckResult> checks);

}  // namespace warpmark::judge
