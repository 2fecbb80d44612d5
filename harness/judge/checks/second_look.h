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
  std::vector<Cause> seen;  // findings of the simulator's detectors in the rerun of a failed GPU call
  // Better failure reason if a rerun on the simulator gives a wrong result, too, and its detectors find
  // nothing; else nullopt.
  std::optional<Cause> explained;
};

// Reruns a test case on the simulator, and if `called_again` a second time on the same pointers because that
// second call failed. An input too large for the simulator is replaced by the largest suitable size of
// `correct`. `simulated` is the code built for the simulator.
SecondLook second_look(const GradingContext& bench, const std::string& version, const BuiltTypes& simulated,
                       const Case& which, bool called_again);

// Gives a defect without a source line the file and line of the first simulator finding in `seen` with one.
void place_like(Cause& cause, const std::vector<Cause>& seen);

}  // namespace warpmark::judge
