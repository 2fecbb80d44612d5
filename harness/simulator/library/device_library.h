// printf, assert and grid_group::is_valid(), as kernels call them.
#pragma once

#include "harness/simulator/code/program.h"

namespace warpmark::simulator::device_library {

void print(Context& c, const Instruction& i);             // int vprintf(format, arguments)
void assertion_failed(Context& c, const Instruction& i);  // __assertfail(message, file, line, function, size)
void grid_is_valid(Context& c, const Instruction& i);
void allocate(Context& c, const Instruction& i);          // void* malloc(size)
void release(Context& c, const Instruction& i);           // void free(pointer)
// A surface was read or written outside of it, where that is an error.
void outside_of_surface(Context& c, const Instruction& i);     // int __warpmark_grid_is_valid()

}  // namespace warpmark::simulator::device_library
