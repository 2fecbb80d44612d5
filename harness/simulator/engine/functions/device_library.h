// Handlers of library functions that kernels call: printf, assert, cooperative groups, barriers, heap,
// surfaces. Comments give the signature in device code.
#pragma once

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator::device_library {

void print(Context& c, const Instruction& i);  // handles int vprintf(format, arguments)
// handles __assertfail(message, file, line, function, size)
void assertion_failed(Context& c, const Instruction& i);
void grid_is_valid(Context& c, const Instruction& i);  // handles int __warpmark_grid_is_valid()
// Handle the thread block cluster functions. __warpmark_cluster_place(which) returns the block's rank, x, y
// or z index in the cluster, or the cluster's size in x, y or z; __warpmark_map_shared(pointer, rank) maps a
// shared-memory address to another block; __warpmark_shared_rank(pointer) returns the rank of the block that
// owns it.
void cluster_place(Context& c, const Instruction& i);
void map_shared(Context& c, const Instruction& i);
void shared_rank(Context& c, const Instruction& i);
// Handlers of operations on barrier objects (mbarrier), except the wait, whose handler is
// control::barrier_object.
void barrier_init(Context& c,
                  const Instruction& i);  // handles void __warpmark_barrier_init(barrier, expected)
// handles __warpmark_barrier_arrive(barrier, arrivals, drops), which returns the phase
void barrier_arrive(Context& c, const Instruction& i);
void barrier_test(Context& c, const Instruction& i);  // handles int __warpmark_barrier_test(barrier, phase)
// Child launches (dynamic parallelism). A thread first sets the launch's shape by configure_launch(), then
// calls the kernel by launch(). In launch(), Instruction::target is the kernel's index in Program::functions
// and Instruction::offset that of the call's frame.
void configure_launch(Context& c, const Instruction& i);
void launch(Context& c, const Instruction& i);
void allocate(Context& c, const Instruction& i);  // handles void* __warpmark_malloc(size)
void release(Context& c, const Instruction& i);   // handles void __warpmark_free(pointer)
// void __warpmark_outside_of_surface(x, y, z, surface): reports an out-of-bounds surface access, as
// cudaBoundaryModeTrap requires.
void outside_of_surface(Context& c, const Instruction& i);

}  // namespace warpmark::simulator::device_library
