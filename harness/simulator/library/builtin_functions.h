// Functions that are called by name but have no PTX: the mathematical library that our headers declare.
#pragma once

#include <string_view>

#include "harness/simulator/code/program.h"

namespace warpmark::simulator {

// Its values lie at context.frame + instruction.offset as FrameLayout says: the result, then the arguments.
// Null when there is no such function.
Handler builtin_function(std::string_view name);

}  // namespace warpmark::simulator
