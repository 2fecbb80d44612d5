// Merges the kernel launches and memory transfers that an engine (GPU or simulator) observed into one list of
// events in order. The upload audit, which checks that the input reaches the GPU only once, needs such a
// list: its length is bounded whatever student code does, yet every transferred byte is counted.
#pragma once

#include <cstddef>

#include "harness/wire/observation.h"

namespace warpmark {

// Replaces an observation's separate lists of launches and transfers by one list of events in order. Adjacent
// events that differ only in bytes and times are merged; once the list holds `most` events, each further
// event is merged into the latest one of the same kind, even from another call site, to bound the list.
wire::Observation in_order(const wire::Observation& seen, std::size_t most = 2000);

}  // namespace warpmark
