// The contract of the assignment `pi`: the interface between your files and the harness. Include it; never
// copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of all values. Graded with double: a float has too few digits for the midpoint of rectangle number
// 2^26.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE double
#endif
using value_t = WARPMARK_VALUE;

// Device memory for heights or partial sums: at least n + n/64 + 16384 values, 256-byte aligned. The harness
// owns it. Its contents are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  value_t* data;
  std::size_t count;
};

extern "C" {

// Every version approximates the area below f(x) = 4 / (1 + x * x) between two limits by n rectangles of
// equal width, and writes it to *area. With begin = limits[0], end = limits[1] and h = (end - begin) / n:
//     *area = h * (f(begin + 0.5 * h) + f(begin + 1.5 * h) + ... + f(begin + (n - 0.5) * h))
// From 0 to 1 this approaches pi. The answer is compared with the area of the n rectangles, not with pi.
//   limits  device memory, two values, read only. end may be less than begin; the area is then negative.
//   n       the number of rectangles: any number, including 0 (the area is then 0).
//   area    device memory, one value, undefined before the call.
//   work    device memory for heights or partial sums, see above.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// The rectangles may be added in any order. A version chooses its own grid and block size, frees what it
// allocates, and must work every time it is called. It returns no error: the harness calls cudaGetLastError
// after every call, then waits for the stream.
using area_fn = void(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                     cudaStream_t stream);

area_fn p01_separate_kernels;
area_fn p02_fused;
area_fn p03_recursive_by_32;
area_fn p04_thrust;

}  // extern "C"
