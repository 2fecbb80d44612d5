// The contract of the assignment `reduction`: the interface between your files and the harness. Include it;
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

// Device memory for partial sums: at least n/16 + 16384 values for an input of n, 256-byte aligned. The
// harness owns it. Its contents are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  value_t* data;
  std::size_t count;
};

extern "C" {

// upload.cu: copies n host values to the GPU exactly once and returns the device copy, allocated with
// cudaMalloc. The harness passes the copy to every version and frees it with cudaFree. Returns nullptr on
// failure; may also return nullptr when n is 0.
value_t* upload(const value_t* host_values, std::size_t n);

// Every version writes the sum of values[0..n) to *sum; for n = 0 the sum is 0.
//   values  device memory, n values, read only. May start at any multiple of alignof(value_t), so a wider
//           load (int4) must first find an aligned address. Do not read past values[n - 1].
//   n       any size, not only powers of two, including 0 (values may then be nullptr).
//   sum     device memory, one value, undefined before the call: set it to 0 before the first atomicAdd.
//   work    device memory for partial sums, see above.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// A version chooses its own grid and block size, frees what it allocates, and must work every time it is
// called. It returns no error: the harness calls cudaGetLastError after every call, then waits for the
// stream. If CUDA refuses a launch (too many threads, an empty grid), the check fails with CUDA's error
// message.
using reduce_fn = void(const value_t* values, std::size_t n, value_t* sum, Workspace work,
                       cudaStream_t stream);

reduce_fn v01_atomic_per_element;
reduce_fn v02_atomic_per_thread;
reduce_fn v03_atomic_coalesced;
reduce_fn v04_atomic_per_block;
reduce_fn v05_tree_modulo;
reduce_fn v06_tree_strided;
reduce_fn v07_tree_sequential;
reduce_fn v08_tree_first_add;
reduce_fn v09_tree_unrolled_warp;
reduce_fn v10_tree_unrolled;
reduce_fn v11_tree_grid_stride;
reduce_fn v12_shared_one_pass;
reduce_fn v13_shared_grid_stride;
reduce_fn v14_pairs_in_shared;
reduce_fn v15_recursive_by_32;
reduce_fn v16_warp_shuffle;
reduce_fn v17_vector_loads;
reduce_fn v18_single_pass;
reduce_fn v19_thrust;

// v20_cub and v21_peak are the course's own solutions, timed for comparison; you need not write them.
reduce_fn v20_cub;
reduce_fn v21_peak;

}  // extern "C"
