// Handlers of library functions that kernels call: printf, assert, cooperative groups, barriers, heap,
// surfaces. Comments give the signature in device code.
#pragma once

#include "harness/simulator/ptx/program.h"

namespace warpmark::simulator::device_library {

// Instruction handler for calls of the device function int vprintf(format, arguments), to which nvcc lowers
// printf().
void print(Context& c, const Instruction& i);
// Instruction handler for calls of the device function __assertfail(message, file, line, function, size), to
// which a failed assert() expands.
void assertion_failed(Context& c, const Instruction& i);
// Instruction handler for cooperative groups' grid_group::is_valid(): true in a cooperative launch.
void grid_is_valid(Context& c, const Instruction& i);
// Handle the thread block cluster functions. __warpmark_cluster_place(which) returns the block's rank, x, y
// or z index in the cluster, or the cluster's size in x, y or z; __warpmark_map_shared(pointer, rank) maps a
// shared-memory address to another block; __warpmark_shared_rank(pointer) returns the rank of the block that
// owns it.
void cluster_place(Context& c, const Instruction& i);
void map_shared(Context& c, const Instruction& i);
void shared_rank(Context& c, const Instruction& i);
// Handlers of operations on barrier objects (mbarrier), except the wait, whose handler is
// control::barrier_object.

// Instruction handler for calls of __warpmark_barrier_init(barrier, expected), which initialises a barrier
// object (mbarrier) for `expected` arrivals per phase.
void barrier_init(Context& c, const Instruction& i);
// Instruction handler for calls of __warpmark_barrier_arrive(barrier, arrivals, drops), which arrives at a
// barrier object (mbarrier) and returns the phase that the arrival counts for.
void barrier_arrive(Context& c, const Instruction& i);
// Instruction handler for calls of int __warpmark_barrier_test(barrier, phase), which returns, without
// waiting, whether a barrier object's phase has completed.
void barrier_test(Context& c, const Instruction& i);
// Instruction handlers for calls of __warpmark_copy_started(to, bytes), which says that the thread has begun
// an asynchronous copy to these bytes, and of __warpmark_copies_awaited(prior), which says that it has waited
// until at most `prior` of its latest groups of copies are left.
void copy_started(Context& c, const Instruction& i);
void copies_awaited(Context& c, const Instruction& i);
// Child launches (dynamic parallelism). A thread first sets the launch's shape by configure_launch(), then
// calls the kernel by launch(). In launch(), Instruction::target is the kernel's index in Program::functions
// and Instruction::offset that of the call's frame.
void configure_launch(Context& c, const Instruction& i);
void launch(Context& c, const Instruction& i);
// Instruction handler for malloc() in device code: calls of void* __warpmark_malloc(size).
void allocate(Context& c, const Instruction& i);
// Instruction handler for free() in device code: calls of void __warpmark_free(pointer).
void release(Context& c, const Instruction& i);
// void __warpmark_outside_of_surface(x, y, z, surface): reports an out-of-bounds surface access, as
// cudaBoundaryModeTrap requires.
void outside_of_surface(Context& c, const Instruction& i);

}  // namespace warpmark::simulator::device_library
