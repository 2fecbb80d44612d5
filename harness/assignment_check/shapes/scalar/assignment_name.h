// The contract of assignment_name: what the students write and the grader calls.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

extern "C" {

// Writes the sum of n values to *sum, which is undefined before the call. values and sum are in device
// memory; all work is queued on the stream.
using assignment_name_fn = void(const int* values, std::size_t n, int* sum, cudaStream_t stream);

assignment_name_fn v01_atomic;
assignment_name_fn v02_block;
}
