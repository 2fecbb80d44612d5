// The contract of the assignment `segmented`: the interface between your files and the harness. Include it;
// never copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file once for each type, so write value_t everywhere.
// Graded with int (sums wrap around modulo 2^32) and float (within a tolerance that allows any order of the
// additions).
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// Device memory for partial results: at least n/64 + 4096 values, 256-byte aligned. The harness owns it. Its
// contents are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  value_t* data;
  std::size_t count;
};

// An array of n values, divided into segments: segment s has the indices from offsets[s] up to, but not
// including, offsets[s + 1]. offsets[0] is 0, offsets[segments] is n, and the offsets never decrease. A
// segment may be empty (both offsets are equal) or hold all the values.
struct Segments {
  const value_t* values;    // all values: device memory, read only; start at any multiple of alignof(value_t)
  std::size_t n;            // number of values: any size below 2^31, including 0 (values may then be nullptr)
  const unsigned* offsets;  // where segments begin: device memory, segments + 1 of them, read only
  std::size_t segments;     // any number of segments, including 0
};

extern "C" {

// Every version writes the sum of each segment s to sums[s]; the sum of an empty segment is 0.
//   sums    device memory, one value per segment, undefined before the call (nullptr if there are none).
//   work    device memory for partial results, see above.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// Do not read or write past the ends of values, offsets and sums. A version chooses its own grid and block
// size, frees what it allocates, and must work every time it is called. It returns no error: the harness
// calls cudaGetLastError after every call, then waits for the stream.
using segmented_fn = void(Segments input, value_t* sums, Workspace work, cudaStream_t stream);

segmented_fn s01_thread_per_segment;
segmented_fn s02_warp_per_segment;
segmented_fn s03_block_per_segment;
segmented_fn s04_one_pass;

// s05_cub is the course's own solution, timed for comparison; you need not write it.
segmented_fn s05_cub;

}  // extern "C"
