// Whether a right answer came from the submission's kernels, by the bytes that crossed in its call.
#pragma once

#include <optional>

#include "harness/judge/cases/case_runner.h"

namespace warpmark::judge {

// Why the answer did not come from a kernel alone; empty where it did.
std::optional<Cause> computed_elsewhere(const Case& which, const Blame& blame, const Traffic& traffic);

}  // namespace warpmark::judge
