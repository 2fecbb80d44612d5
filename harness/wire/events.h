// What an observer saw as one list in order, for an audit: short whatever a submission does, and with every
// byte in it.
#pragma once

#include <cstddef>

#include "harness/wire/observation.h"

namespace warpmark {

// The same with events in place of launches and transfers. Neighbours that differ in bytes and times only are
// one event, and of more than `most` events the later ones of each sort are one, wherever they come from.
wire::Observation in_order(const wire::Observation& seen, std::size_t most = 2000);

}  // namespace warpmark
