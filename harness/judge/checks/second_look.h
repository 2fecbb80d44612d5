// Reruns a test case that failed on a real GPU on the simulator, which checks every access where the GPU
// reports only an error or a wrong result.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Returns true if the simulator may reveal more about this failure than the GPU reports.
bool deserves_a_second_look(const Cause& cause);

struct SecondLook {
  std::vector<Cause> seen;  // findings of the simulator's detectors; each message names the simulator
  // The refined failure reason if the simulator's detectors report nothing but the simulated result is wrong,
  // too; else nullopt.
  std::optional<Cause> explained;
};

// Reruns a test case on the simulator, and if `called_again` a second time on the same pointers because that
// second call failed. An input too large for the simulator is replaced by the largest suitable size of
// `correct`. `simulated` is the code built for the simulator.
SecondLook second_look(const GradingContext& bench, const std::string& version, const BuiltTypes& simulated,
                       const Case& which, bool called_again);

// If the defect has no source line, copies file and line from the first of `seen` that has one.
void place_like(Cause& cause, const std::vector<Cause>& seen);

}  // namespace warpmark::judge
