// Where in the program a runtime function was called, for findings about host code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::simulator {

struct CallSite {
  std::string function;  // of the runtime: "cudaMalloc"; empty when unknown
  // Return addresses in the program's own code, innermost first, as offsets that a symbolizer takes: one less
  // than what is returned to, so that they lie in the call. Its own code is the executable, once
  // prepare_call_sites() was called, else the libraries that brought device code and those that were called:
  // of a worker, the library of the version.
  std::vector<std::uint64_t> frames;
};

// Of the runtime function that this thread is in.
CallSite call_site();

// A library of the program's own was loaded, or goes: it holds that address.
void add_library(const void* inside);
void remove_library(const void* inside);

// The program is the executable. Unwinding needs what is loaded at the first use; a signal handler may not
// wait for that.
void prepare_call_sites();

// For a signal handler: the offsets of the faulting instruction and its callers, as in CallSite::frames.
// Returns how many of `frames` were written.
int fault_frames(const void* instruction, std::uint64_t* frames, int capacity);

}  // namespace warpmark::simulator
