// Remedies of a simulator's findings that only the source of the kernel shows.
#pragma once

#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

// Puts what the source shows of a race or an uninitialised read in the place of the general remedy: that two
// arrays are the same memory, that the race is with the next round of a loop, or that an index has passed the
// end of its array. Returns false if it shows nothing.
bool put_remedy_of_source(Cause& cause, const Blame& blame);

}  // namespace warpmark::judge
