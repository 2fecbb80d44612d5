// Lists an observation as events in order, for the upload audit: bounded in length whatever a submission
// does, with every byte accounted for.
#pragma once

#include <cstddef>

#include "harness/wire/observation.h"

namespace warpmark {

// Returns the observation with events in place of launches and transfers. Neighbouring events that differ
// only in bytes and times are merged; beyond `most` events, each further one is merged into the latest of its
// sort, from whatever call site.
wire::Observation in_order(const wire::Observation& seen, std::size_t most = 2000);

}  // namespace warpmark
