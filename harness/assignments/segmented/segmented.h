// The contract of the assignment `segmented`: all that your files and the harness agree on. Include it, never
// copy it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int (sums wrap round modulo 2^32) and float (within a tolerance that allows
// any order of the additions).
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// Device memory for partial results: at least n/64 + 4096 values, 256-byte aligned. The harness owns it. Its
// contents are undefined when your function is called, and they are not read afterwards.
struct Workspace {
  value_t* data;
  std::size_t count;
};

// n values one after the other, cut into segments: segment s is values[offsets[s]] up to, but without,
// values[offsets[s + 1]]. offsets[0] is 0, offsets[segments] is n, and no offset is less than the one before.
// A segment may be empty (both offsets are equal) or hold all of the values.
struct Segments {
  const value_t* values;    // device memory, read only; may start at any multiple of alignof(value_t)
  std::size_t n;            // any size below 2^31; 0, too (values may then be nullptr)
  const unsigned* offsets;  // device memory, segments + 1 of them, read only
  std::size_t segments;     // any number; 0, too
};

extern "C" {

// Every version writes the sum of segment s to sums[s], for all segments; the sum of nothing is 0.
//   sums    device memory, one value a segment, undefined before the call (nullptr if there is no segment).
//   work    device memory for partial results, see above.
//   stream  queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// Past the ends of values, offsets and sums nothing may be read or written. A version chooses its own grid
// and block size, gives back what it allocates, and works each time it is called. It cannot return an error:
// the harness asks cudaGetLastError after every call, then waits for the stream.
using segmented_fn = void(Segments input, value_t* sums, Workspace work, cudaStream_t stream);

segmented_fn s01_thread_per_segment;
segmented_fn s02_warp_per_segment;
segmented_fn s03_block_per_segment;
segmented_fn s04_one_pass;

// The course's own, to compare with; you need not write it.
segmented_fn s05_cub;

}  // extern "C"
