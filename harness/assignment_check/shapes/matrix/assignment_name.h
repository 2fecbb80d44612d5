// The contract of assignment_name: what the students write and the grader calls.
#pragma once

#include <cstddef>

#include <cuda_runtime.h>

extern "C" {

// Writes the transpose of a matrix: out[column * rows + row] = in[row * columns + column]. Both are in device
// memory; all work is queued on the stream.
using assignment_name_fn = void(const float* in, std::size_t rows, std::size_t columns, float* out,
                                cudaStream_t stream);

assignment_name_fn v01_direct;
assignment_name_fn v02_tiles;
}
