// The contract of the assignment `extremes`: the interface between your files and the harness. Include it;
// never copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file once for each type, so write value_t everywhere.
// Graded with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// The answer: the least and the greatest value, and the first position of each.
struct Extremes {
  value_t least;
  value_t greatest;
  unsigned long long least_at;
  unsigned long long greatest_at;
};

// Device memory for at least n/64 + 4096 partial results, 256-byte aligned. The harness owns it. Its contents
// are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  Extremes* data;
  std::size_t count;
};

extern "C" {

// Every version writes the extremes of values[0..n) to *extremes.
//   values    device memory, n values, read only. May start at any multiple of alignof(value_t), so a wider
//             load (int4) must first find an aligned address. Do not read past values[n - 1].
//   n         any size below 2^32, including 0 (values may then be nullptr).
//   extremes  device memory, one Extremes, undefined before the call.
//   work      device memory for partial results, see above.
//   stream    queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// Among equal values the first counts: write the lowest position.
// Floats: ignore NaN; it is never the least nor the greatest. Infinities are ordinary values. -0 and +0 are
// equal, so the first of them counts, and you may write either one.
// If there is no value (n is 0, or all values are NaN), the least is +infinity, or the largest int; the
// greatest is -infinity, or the smallest int; and both positions are n.
// A version chooses its own grid and block size, frees what it allocates, and must work every time it is
// called. It returns no error: the harness calls cudaGetLastError after every call, then waits for the
// stream.
using extremes_fn = void(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                         cudaStream_t stream);

extremes_fn x01_separate_passes;
extremes_fn x02_both_at_once;
extremes_fn x03_packed_atomics;
extremes_fn x04_warp_shuffle;
extremes_fn x05_thrust;

// x06_peak is the course's own solution, timed for comparison; you need not write it.
extremes_fn x06_peak;

}  // extern "C"
