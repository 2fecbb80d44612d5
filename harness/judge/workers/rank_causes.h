// What several ranks ended with, as causes.
#pragma once

#include "harness/judge/workers/causes.h"
#include "harness/wire/journal.h"

namespace warpmark::judge {

// Without places; for a reader who has no source at hand.
Cause cause_of(const wire::RanksFailure& failure);

// Says it again with the line of each rank, and points to that of the first one.
void place_ranks(Cause& cause, const wire::RanksFailure& failure, const Blame& blame);

}  // namespace warpmark::judge
