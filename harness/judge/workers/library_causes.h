// Findings in a library's kernels, told of the submission's line that calls the library.
#pragma once

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

// Points a cause whose line is in a header of the tool, such as that of thrust::sort, to the line of the
// version that calls it, and says so in place of names that only the library has. Leaves others as they are.
void point_out_of_library(Cause& cause, const Blame& blame);

}  // namespace warpmark::judge
