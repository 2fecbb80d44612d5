// Reports failures of an MPI program's ranks.
#pragma once

#include "harness/judge/workers/causes.h"
#include "harness/wire/journal.h"

namespace warpmark::judge {

// Returns a report of how MPI ranks failed, without source lines.
Cause cause_of(const wire::RanksFailure& failure);

// Adds the source lines at which MPI ranks failed to the report's message; the first rank's becomes the
// report's line.
void place_ranks(Cause& cause, const wire::RanksFailure& failure, const Blame& blame);

}  // namespace warpmark::judge
