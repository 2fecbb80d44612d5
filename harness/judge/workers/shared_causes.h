// Accesses past the end of a shared array: whether its size is at fault, and where that is written.
#pragma once

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

// Adds to an access past the end of a shared array the line that gives the array its size. If the launch
// gives a dynamic array too few bytes, the cause moves to the line of the launch. If the array has one
// element per warp, the lanes that have none are named instead: its size is right. The cause's launch must be
// set first.
void explain_shared_array(Cause& cause, const Blame& blame);

}  // namespace warpmark::judge
