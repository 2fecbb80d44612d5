// Decides from the bytes transferred during a call whether the submission's kernels computed a correct
// answer.
#pragma once

#include <optional>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Returns the cause that the host could have computed the answer, or nullopt if kernels alone did.
std::optional<Cause> computed_elsewhere(const Case& which, const Blame& blame, const Traffic& traffic);

}  // namespace warpmark::judge
