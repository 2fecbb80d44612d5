// Merges the launches and transfers that an engine (GPU or simulator) observed into one list of events in
// order, for the upload audit: bounded in length whatever student code does, with every byte accounted for.
#pragma once

#include <cstddef>

#include "harness/wire/observation.h"

namespace warpmark {

// Returns the observation with one list of events in place of launches and transfers. Adjacent events that
// differ only in bytes and times are merged; beyond `most` events, each further one is merged into the latest
// event of the same kind, whatever its call site.
wire::Observation in_order(const wire::Observation& seen, std::size_t most = 2000);

}  // namespace warpmark
