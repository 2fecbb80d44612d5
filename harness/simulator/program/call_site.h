// Records call stacks of runtime functions and of faults in the program's process.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// Add or remove a library whose code counts as the program's own in call stacks. `inside` is any address in
// the library.
void add_library(const void* inside);
void remove_library(const void* inside);

// Makes the executable count as the program's own code in call stacks. Also loads the unwinder now, because
// its lazy initialisation is not async-signal-safe.
void prepare_call_sites();

// Writes the file offsets of the faulting instruction and of its callers (as in CallSite::frames) to
// `frames`; returns how many were written. Async-signal-safe.
int fault_frames(const void* instruction, std::uint64_t* frames, int capacity);

}  // namespace warpmark::simulator
