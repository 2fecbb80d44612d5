// The contract of the assignment `sort`: the interface between your files and the harness. Include it; never
// copy it.
//
// Write one file per version; each file exports the function of the same name. "Device memory" below means
// memory that only kernels may read and write: the CPU must not dereference such a pointer. Sizes are in
// values, not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the keys. The harness builds every file once for each type, so write value_t everywhere. Graded
// with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// n pairs of a key and a value, and the output arrays. All four are arrays of n elements in device memory;
// they do not overlap and may start at any multiple of 4 bytes. Do not read or write past their ends.
struct Pairs {
  const value_t* keys;      // keys to sort by, read only
  const unsigned* values;   // moved with the keys, read only; nullptr: sort the keys alone, no sorted_values
  value_t* sorted_keys;     // output: the keys in ascending order; undefined before the call
  unsigned* sorted_values;  // output: the value of each sorted key; undefined before the call
  std::size_t n;  // number of pairs: any size below 2^31, including 0 (the pointers may then be nullptr)
};

// Scratch space in device memory: at least 3 * n + 16384 numbers of 64 bits, 256-byte aligned. The harness
// owns it. Its contents are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  unsigned long long* data;
  std::size_t count;
};

extern "C" {

// Every version writes the pairs, or the keys alone, in ascending order of the keys. The sort is stable:
// pairs with equal keys keep their order in the input. The bits of a key do not change.
// Floats: -0 and +0 are equal. NaNs come after all other keys and are equal to each other.
//   work    device memory, see above.
//   stream  queue all kernels, copies and memsets on this stream, then return. The caller waits for them.
// A version chooses its own grid and block size, frees what it allocates, and must work every time it is
// called. It returns no error: the harness calls cudaGetLastError after every call, then waits for the
// stream.
using sort_fn = void(Pairs pairs, Workspace work, cudaStream_t stream);

sort_fn q01_odd_even_blocks;
sort_fn q02_bitonic_blocks;
sort_fn q03_bitonic_grid;
sort_fn q04_merge;
sort_fn q05_radix;
sort_fn q06_thrust;

// q09_thrust_by_key calls Thrust and is given complete, for comparison with your own kernels.
sort_fn q09_thrust_by_key;

// q07_cub and q08_peak are the course's own solutions, timed for comparison; you need not write them.
sort_fn q07_cub;
sort_fn q08_peak;

}  // extern "C"
