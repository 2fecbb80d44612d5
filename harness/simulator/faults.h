// Fatal findings that a single instruction causes, and their wording.
#pragma once

#include "harness/simulator/context.h"

namespace warpmark::simulator {

void report_trap(Context& context, const Instruction& instruction);
void report_unsupported(Context& context, const Instruction& instruction);

}  // namespace warpmark::simulator
