// The very case that failed on a GPU, on the simulator: it sees each access, where a GPU reports an error or
// a wrong answer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {

// Whether the simulator may see more of a failure than a GPU reported.
bool deserves_a_second_look(const Cause& cause);

struct SecondLook {
  std::vector<Cause> seen;         // by the simulator's own detectors; each says that it was seen there
  std::optional<Cause> explained;  // a wrong answer that is wrong there, too, said better by experiments
};

// A call of the case on the simulator, and a second call on the same pointers where that was the one that
// failed. Where the case is too large for it, the largest case of `correct` that is not. simulated: the
// version, built for the simulator.
SecondLook second_look(const GradingContext& bench, const std::string& version, const BuiltTypes& simulated,
                       const Case& which, bool called_again);

// Gives a cause without a line the place of the first one that has one.
void place_like(Cause& cause, const std::vector<Cause>& seen);

}  // namespace warpmark::judge
