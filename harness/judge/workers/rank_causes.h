// Converts the failure of an MPI program's ranks to causes.
#pragma once

#include "harness/judge/workers/causes.h"
#include "harness/wire/journal.h"

namespace warpmark::judge {

// Returns the cause of a failure of MPI ranks, without source lines.
Cause cause_of(const wire::RanksFailure& failure);

// Rewrites the cause's message with each rank's source line, and sets the cause's own line to the first
// rank's.
void place_ranks(Cause& cause, const wire::RanksFailure& failure, const Blame& blame);

}  // namespace warpmark::judge
