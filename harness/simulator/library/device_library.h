// printf, assert and the barrier of the grid, as kernels call them.
#pragma once

#include "harness/simulator/code/program.h"

namespace warpmark::simulator::device_library {

void print(Context& c, const Instruction& i);             // int vprintf(format, arguments)
void assertion_failed(Context& c, const Instruction& i);  // __assertfail(message, file, line, function, size)
void grid_is_valid(Context& c, const Instruction& i);     // int __warpmark_grid_is_valid()
void grid_barrier(Context& c, const Instruction& i);      // void __warpmark_grid_barrier()

}  // namespace warpmark::simulator::device_library
