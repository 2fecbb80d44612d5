// Puts the cause first where a version in host code with threads fails: a race makes other failures, which
// change from run to run.
#pragma once

#include <vector>

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

// Returns the failures with the race, or the mistake with threads that the source shows, in front, and
// without the crashes and races that follow from it, which its message names. `of_sanitizers`: what was found
// in watched calls of the same version. Without either, the failures are returned as they are.
std::vector<Cause> threads_first(std::vector<Cause> failures, const std::vector<Cause>& of_sanitizers,
                                 const Blame& blame);

// Returns true if what goes wrong may differ from run to run: a race is among the causes.
bool has_race(const std::vector<Cause>& causes);

}  // namespace warpmark::judge
