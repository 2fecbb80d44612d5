// The contract of the assignment `grids`: all that your files and the harness agree on. Include it, never
// copy it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int (which wraps round modulo 2^32) and float.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// A matrix row after row: element (row, column) is data[row * pitch + column]. The pitch is at least the
// number of columns; what lies between the last column of a row and the first of the next is padding. Behind
// the last column of the last row there is none. May start at any multiple of alignof(value_t), with any
// pitch, so a wider access (int4) must first find aligned addresses.
template <class Value>
struct Pitched {
  Value* data;
  std::size_t pitch;
};

struct Matrices {
  Pitched<const value_t> a;  // device memory, read only
  Pitched<value_t> b;        // device memory, undefined before the call
  const value_t* x;          // device memory, a value a row, read only
  const value_t* y;          // device memory, a value a column, read only
  std::size_t rows;          // any numbers, each below 2^31; 0, too. There may be one row of a million
  std::size_t columns;       // columns, or a million rows of one.
};

extern "C" {

// Every version writes b(row, column) = a(row, column) + x[row] * y[column] for all elements, and leaves the
// padding of b as it is. In float the product may be rounded before it is added, or not.
//   stream  queue kernels here, and only here; then return. The caller waits for them.
// A version chooses its own grid and block size, and works each time it is called. A grid has at most 2^31 -
// 1 blocks in x, but only 65535 in y and in z; an empty grid is an error, as is a block of more than 1024
// threads. A version cannot return an error: the harness asks cudaGetLastError after every call, then waits
// for the stream.
using grid_fn = void(Matrices matrices, cudaStream_t stream);

grid_fn g01_one_dimension;
grid_fn g02_square_blocks;
grid_fn g03_wide_blocks;
grid_fn g04_grid_stride;
grid_fn g05_vector_rows;

}  // extern "C"
