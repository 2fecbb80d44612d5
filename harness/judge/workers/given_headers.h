// Leads from headers that students were given complete to the lines of their own that reach them: a mistake
// may show in such a header, and is made elsewhere.
#pragma once

#include <string>

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

// Returns the line of the version that reaches a line of a header which was given complete and left so; 0 for
// other files, or if no line is known to.
int line_that_reaches(const Blame& blame, const std::string& file, int line);

// Points a cause in such a header to that line. Those of two accesses stay: both are in one file.
void leave_given_header(Cause& cause, const Blame& blame);

}  // namespace warpmark::judge
