// Built-in functions: kernels call them by name, but they have no PTX, e.g. the math functions declared in
// the simulator's CUDA headers.
#pragma once

#include <string_view>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Returns the instruction handler that executes calls of the built-in device function with this name (e.g.
// __nv_sinf), or null if there is none. The handler reads the arguments from, and writes the result to, the
// call's stack frame at context.frame + instruction.offset.
Handler builtin_function(std::string_view name);

}  // namespace warpmark::simulator
