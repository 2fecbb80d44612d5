// Repeats a case that failed on a GPU on the simulator, which checks each access where a GPU reports only an
// error or a wrong answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Returns true if the simulator may reveal more about this failure than a GPU reports.
bool deserves_a_second_look(const Cause& cause);

struct SecondLook {
  std::vector<Cause> seen;         // by the simulator's detectors; each message says so
  std::optional<Cause> explained;  // if the answer is wrong there, too: explained by experiments
};

// Runs the case on the simulator; called_again: and a second time on the same pointers, because that call
// failed. If the case is too large for the simulator, the largest suitable size of `correct` replaces it.
// simulated: the version built for the simulator.
SecondLook second_look(const GradingContext& bench, const std::string& version, const BuiltTypes& simulated,
                       const Case& which, bool called_again);

// Copies file and line to a cause without a line, from the first of `seen` that has one.
void place_like(Cause& cause, const std::vector<Cause>& seen);

}  // namespace warpmark::judge
