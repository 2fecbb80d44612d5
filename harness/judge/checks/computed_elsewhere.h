// Decides from the bytes transferred during a call whether the student's kernels, and not the CPU, computed a
// correct result.
#pragma once

#include <optional>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Returns a failure reason if host code could have computed the result, or nullopt if only kernels could.
std::optional<Cause> computed_elsewhere(const Case& which, const Blame& blame, const Traffic& traffic,
                                        std::optional<std::uint64_t> allowed);

}  // namespace warpmark::judge
