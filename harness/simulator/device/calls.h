// What the calls of a program do.
#pragma once

#include <cstddef>
#include <span>

#include "harness/simulator/messages/functions.h"

namespace warpmark::simulator {

// Answers one call (messages/functions.h): runs the runtime's function here and writes its result to `room`.
// Returns the result's size, of which no more is written than there is room. A call that cannot be read is
// answered as one with an invalid argument.
std::size_t answer_call(std::span<const std::byte> call, std::span<std::byte> room);

}  // namespace warpmark::simulator
