// Derives findings about a GPU's state from a machine's facts: what it requires of speedups, who shares it,
// and what changes its clocks or memory. Pure functions.
#pragma once

#include <vector>

#include "harness/doctor/diagnosis.h"

namespace warpmark::doctor {

// Appends the findings about the first GPU to `findings`. `usable`: grading runs on it; otherwise the
// findings show what may keep it from that, and none has the status fail.
void add_gpu_findings(const Facts& facts, bool usable, std::vector<Assessment>& findings);

}  // namespace warpmark::doctor
