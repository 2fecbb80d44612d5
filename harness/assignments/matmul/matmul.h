// The contract of the assignment `matmul`: the interface between your files and the harness. Include it;
// never copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// C = A B. All three are stored in row-major order without padding: element (row, column) of A is
// a[row * inner + column], of B b[row * columns + column], of C c[row * columns + column].
struct Product {
  const float* a;       // the factor A: device memory, rows x inner, read only
  const float* b;       // the factor B: device memory, inner x columns, read only
  float* c;             // the product C: device memory, rows x columns, undefined before the call
  std::size_t rows;     // 0 to 2^31 - 1, as inner and columns; a matrix has fewer than 2^40 elements
  std::size_t inner;    // number of columns of A and rows of B; if it is 0, all of C is 0
  std::size_t columns;  // columns of B and C (a pointer to an empty matrix may be nullptr)
};

extern "C" {

// Every version writes C. The matrices may start at any multiple of 4 bytes, so a wider load (float4) must
// first find an aligned address; do not read or write past their ends.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// Compute in single precision, in any order, with or without fused multiply-add. The answer is compared with
// the error bound of such a dot product; half precision and TF32 exceed it.
// A version chooses its own grid and block size, frees what it allocates, and must work every time it is
// called. It returns no error: the harness calls cudaGetLastError after every call, then waits for the
// stream.
using matmul_fn = void(Product product, cudaStream_t stream);

matmul_fn m01_naive;
matmul_fn m02_coalesced;
matmul_fn m03_tiled;
matmul_fn m04_register_tile;
matmul_fn m05_vector_loads;

// m06_cublas calls cuBLAS and is given complete, for comparison with your own kernels; it needs a GPU.
matmul_fn m06_cublas;

// m07_peak is the course's own solution, timed for comparison; you need not write it.
matmul_fn m07_peak;

}  // extern "C"
