// Executes the program's calls.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::simulator {

// Executes one call (both/functions.h) and writes its result to `room`. Returns the size of the result;
// no more than room.size() bytes are written. A call that cannot be parsed gets an invalid-argument error.
std::size_t answer_call(std::span<const std::byte> call, std::span<std::byte> room);

}  // namespace warpmark::simulator
