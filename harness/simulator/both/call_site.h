// Call stack of the program's call to a CUDA runtime function, so that a reported error names the line of
// host code.
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

// Returns the call stack of the CUDA runtime call in progress. In the program's process, that is the calling
// thread's stack (program/call_site.cpp); in the device process, the program's stack in the call that it
// serves, as sent by the program (device/program.cpp).
CallSite call_site();

}  // namespace warpmark::simulator
