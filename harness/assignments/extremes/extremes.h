// The contract of the assignment `extremes`: all that your files and the harness agree on. Include it, never
// copy it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// The answer: the least and the greatest value, and where each stands first.
struct Extremes {
  value_t least;
  value_t greatest;
  unsigned long long least_at;
  unsigned long long greatest_at;
};

// Device memory for partial results: at least n/64 + 4096 of them, 256-byte aligned. The harness owns it. Its
// contents are undefined when your function is called, and they are not read afterwards.
struct Workspace {
  Extremes* data;
  std::size_t count;
};

extern "C" {

// Every version writes the extremes of values[0..n) to *extremes.
//   values    device memory, n values, read only. May start at any multiple of alignof(value_t), so a wider
//             load (int4) must first find an aligned address. Past values[n - 1] nothing may be read.
//   n         any size below 2^32; 0, too (values may then be nullptr).
//   extremes  device memory, one Extremes, undefined before the call.
//   work      device memory for partial results, see above.
//   stream    queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// Of equal values the first counts: the position is the lowest.
// Floats: a NaN is no value: it is never the least nor the greatest, wherever it stands. Infinities are
// values. -0 and +0 are equal, so the first of them counts, and either may be written for it.
// Where there is no value at all (n is 0, or everything is NaN) the least is +infinity, or the largest int;
// the greatest is -infinity, or the smallest int; and both positions are n.
// A version chooses its own grid and block size, gives back what it allocates, and works each time it is
// called. It cannot return an error: the harness asks cudaGetLastError after every call, then waits for the
// stream.
using extremes_fn = void(const value_t* values, std::size_t n, Extremes* extremes, Workspace work,
                         cudaStream_t stream);

extremes_fn x01_separate_passes;
extremes_fn x02_both_at_once;
extremes_fn x03_packed_atomics;
extremes_fn x04_warp_shuffle;
extremes_fn x05_thrust;

// The course's own, to compare with; you need not write it.
extremes_fn x06_peak;

}  // extern "C"
