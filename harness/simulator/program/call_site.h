// Records call stacks in the program's process: of runtime functions, and of faults.
#pragma once

#include <cstdint>

namespace warpmark::simulator {

// Registers and unregisters a library as the program's own code. inside: any address in the library.
void add_library(const void* inside);
void remove_library(const void* inside);

// Declares the executable to be the program's own code, and loads the unwinder now, because its lazy
// initialisation is not safe in a signal handler.
void prepare_call_sites();

// Async-signal-safe. Writes the offsets of the faulting instruction and of its callers (as in
// CallSite::frames) and returns how many were written.
int fault_frames(const void* instruction, std::uint64_t* frames, int capacity);

}  // namespace warpmark::simulator
