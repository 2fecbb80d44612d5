// The contract of the assignment `pi`: all that your files and the harness agree on. Include it, never copy
// it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of everything that is computed. Graded with double: a float has too few digits for the middle of
// the 2^26th rectangle.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE double
#endif
using value_t = WARPMARK_VALUE;

// Device memory for heights or partial sums: at least n + n/64 + 16384 values, 256-byte aligned. The harness
// owns it. Its contents are undefined when your function is called, and they are not read afterwards.
struct Workspace {
  value_t* data;
  std::size_t count;
};

extern "C" {

// Every version writes the area below f(x) = 4 / (1 + x * x) between two limits, as n rectangles of equal
// width have it, to *area: with begin = limits[0], end = limits[1] and h = (end - begin) / n
//     *area = h * (f(begin + 0.5 * h) + f(begin + 1.5 * h) + ... + f(begin + (n - 0.5) * h))
// From 0 to 1 that is pi, but for a small n not quite: the answer is compared with the rectangles' area.
//   limits  device memory, two values, read only. end may be less than begin; the area is negative then.
//   n       how many rectangles; any number. 0, too: the area of none is 0.
//   area    device memory, one value, undefined before the call.
//   work    device memory for heights or partial sums, see above.
//   stream  queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// The rectangles may be added up in any order. A version chooses its own grid and block size, gives back what
// it allocates, and works each time it is called. It cannot return an error: the harness asks
// cudaGetLastError after every call, then waits for the stream.
using area_fn = void(const value_t* limits, std::size_t n, value_t* area, Workspace work,
                     cudaStream_t stream);

area_fn p01_separate_kernels;
area_fn p02_fused;
area_fn p03_recursive_by_32;
area_fn p04_thrust;

}  // extern "C"
