// The contract of the assignment `matmul`: all that your files and the harness agree on. Include it, never
// copy it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// C = A B. All three are stored row after row without padding: element (row, column) of A is
// a[row * inner + column], of B b[row * columns + column], of C c[row * columns + column].
struct Product {
  const float* a;       // device memory, rows x inner, read only
  const float* b;       // device memory, inner x columns, read only
  float* c;             // device memory, rows x columns, undefined before the call
  std::size_t rows;     // any numbers, each below 2^31, so that every matrix has less than 2^40 elements;
  std::size_t inner;    // 0, too: with inner = 0 all of C is 0. (A pointer to an empty matrix may be
  std::size_t columns;  // nullptr.)
};

extern "C" {

// Every version writes C. The matrices may begin at any multiple of 4 bytes, so a wider load (float4) must
// first find an aligned address; past their ends nothing may be read or written.
//   stream  queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// Float arithmetic: products and sums in single precision, in any order, fused or not. The answer is held
// against the error bound of such a dot product; half precision and TF32 are outside of it.
// A version chooses its own grid and block size, gives back what it allocates, and works each time it is
// called. It cannot return an error: the harness asks cudaGetLastError after every call, then waits for the
// stream.
using matmul_fn = void(Product product, cudaStream_t stream);

matmul_fn m01_naive;
matmul_fn m02_coalesced;
matmul_fn m03_tiled;
matmul_fn m04_register_tile;
matmul_fn m05_vector_loads;

// Given complete, to compare with: it needs a GPU.
matmul_fn m06_cublas;

// The course's own, to compare with; you need not write it.
matmul_fn m07_peak;

}  // extern "C"
