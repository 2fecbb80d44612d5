// Dispatches the CUDA runtime calls that the device process receives from the program's process.
#pragma once

#include <cstddef>
#include <span>

namespace warpmark::simulator {

// Executes one serialised runtime call (call numbers: both/functions.h) and writes the serialised result to
// `room`, at most room.size() bytes. Returns the result's size. A malformed call gets cudaErrorInvalidValue.
std::size_t answer_call(std::span<const std::byte> call, std::span<std::byte> room);

}  // namespace warpmark::simulator
