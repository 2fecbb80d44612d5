// Finds the source line of a mistake by trial: variants of the student's source with one small change each
// are called, and a change after which the outputs are right is at the line of the mistake.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/explain_wrong_answer.h"

namespace warpmark::judge {

// What is known of the failure that a change must cure.
struct Failure {
  const Case& which;                       // a case that fails
  std::vector<source_edits::Origin> seen;  // lines that other findings name
  Demands demands = {};
};

// Returns nullopt if no change helps.
std::optional<RightChange> find_right_change(TriedVersion& version, const Assignment& assignment,
                                             const Failure& failure, const ExperimentLimits& limits);

}  // namespace warpmark::judge
