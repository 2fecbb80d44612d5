// The contract of the assignment `grids`: the interface between your files and the harness. Include it; never
// copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file once for each type, so write value_t everywhere.
// Graded with int (which wraps around modulo 2^32) and float.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// A matrix in row-major order: element (row, column) is data[row * pitch + column]. The pitch is at least the
// number of columns; the space between the last column of a row and the first of the next is padding. The
// last row has no padding. The matrix may start at any multiple of alignof(value_t), with any pitch, so a
// wider access (int4) must first find aligned addresses.
template <class Value>
struct Pitched {
  Value* data;
  std::size_t pitch;
};

struct Matrices {
  Pitched<const value_t> a;  // input matrix: device memory, read only
  Pitched<value_t> b;        // output matrix: device memory, undefined before the call
  const value_t* x;          // input vector, one value per row: device memory, read only
  const value_t* y;          // input vector, one value per column: device memory, read only
  std::size_t rows;          // number of rows, 0 to 2^31 - 1: a million rows of one column are possible
  std::size_t columns;       // number of columns, 0 to 2^31 - 1: one row of a million columns is possible
};

extern "C" {

// Every version writes b(row, column) = a(row, column) + x[row] * y[column] for all elements, and does not
// change the padding of b. For floats, a fused multiply-add is allowed but not required.
//   stream  queue all kernels on this stream, then return. The caller waits for them.
// A version chooses its own grid and block size, and must work every time it is called. A grid has at most
// 2^31 - 1 blocks in x, but only 65535 in y and in z; an empty grid is an error, and so is a block of more
// than 1024 threads. A version returns no error: the harness calls cudaGetLastError after every call, then
// waits for the stream.
using grid_fn = void(Matrices matrices, cudaStream_t stream);

grid_fn g01_one_dimension;
grid_fn g02_square_blocks;
grid_fn g03_wide_blocks;
grid_fn g04_grid_stride;
grid_fn g05_vector_rows;

}  // extern "C"
