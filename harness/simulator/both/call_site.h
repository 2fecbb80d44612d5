// Call stack of a runtime function in the program, for findings about host code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpmark::simulator {

struct CallSite {
  std::string function;  // name of the runtime function called, such as "cudaMalloc"; empty if unknown
  // Return addresses in the program's own code, innermost first, as file offsets for a symbolizer, each
  // decremented by one to lie within the call instruction. The program's own code is the executable after a
  // call of prepare_call_sites(), else the libraries given to add_library() (in the worker process, the
  // library built from the student's submission).
  std::vector<std::uint64_t> frames;
};

// Returns the call site of the current runtime function: in the program's process, of the function that this
// thread executes (program/call_site.cpp); in the device process, of the call that it serves
// (device/program.cpp).
CallSite call_site();

}  // namespace warpmark::simulator
