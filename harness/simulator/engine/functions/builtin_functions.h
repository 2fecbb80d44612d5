// Functions that kernels call by name and that have no PTX, such as the math functions declared in our
// headers.
#pragma once

#include <string_view>

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator {

// Returns the handler of a function, or null if there is none. Its result and arguments are at context.frame
// + instruction.offset, laid out as by FrameLayout.
Handler builtin_function(std::string_view name);

}  // namespace warpmark::simulator
