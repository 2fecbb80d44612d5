// Finds the source line of a mistake by trial: variants of the student's source with one small change each
// are called, and a change after which the outputs are right is at the line of the mistake.
#pragma once

#include <optional>
#include <string>

#include "harness/judge/checks/explain_wrong_answer.h"

namespace warpmark::judge {

// Returns nullopt if no change helps. `which`: a case with wrong outputs. `near`: the line that other
// findings name, 0: none.
std::optional<RightChange> find_right_change(TriedVersion& version, const Assignment& assignment,
                                             const Case& which, const std::string& file, int near,
                                             const ExperimentLimits& limits);

}  // namespace warpmark::judge
