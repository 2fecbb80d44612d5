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

// Returns the call site of the runtime function that this thread executes: in the program, of the call that
// it makes (program/call_site.cpp); in the device, of the call that it serves (device/program.cpp).
CallSite call_site();

}  // namespace warpmark::simulator
