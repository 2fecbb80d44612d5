// Built-in functions: kernels call them by name, but they have no PTX, e.g. the math functions declared in
// the simulator's CUDA headers.
#pragma once

#include <string_view>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Returns the handler of a built-in function, or null if there is none. The handler finds the call's
// arguments and stores its result in the stack frame from context.frame + instruction.offset on, at the
// offsets that FrameLayout computes.
Handler builtin_function(std::string_view name);

}  // namespace warpmark::simulator
