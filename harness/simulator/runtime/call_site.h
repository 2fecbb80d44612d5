// The call stack of a runtime function in the program, for findings about host code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::simulator {

struct CallSite {
  std::string function;  // the runtime function, "cudaMalloc"; empty if unknown
  // Return addresses in the program's own code, innermost first, as offsets into the file for a symbolizer;
  // each is decremented by one so that it lies within the call instruction. The program's own code is the
  // executable if prepare_call_sites() was called, else the libraries named by add_library() (in a worker,
  // the library of the graded version).
  std::vector<std::uint64_t> frames;
};

// Returns the call site of the runtime function that this thread is executing.
CallSite call_site();

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
