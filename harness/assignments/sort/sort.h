// The contract of the assignment `sort`: all that your files and the harness agree on. Include it, never copy
// it.
//
// You write one file a version; each file exports the function of its own name. "Device memory" below is
// memory that only kernels may read and write: the CPU must not follow such a pointer. Sizes count values,
// not bytes.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the keys. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// n pairs of a key and a value, and where the sorted ones belong. All four are arrays of n in device memory,
// which do not overlap and may start at any multiple of 4 bytes. Past their ends nothing may be read or
// written.
struct Pairs {
  const value_t* keys;      // read only
  const unsigned* values;   // read only; nullptr: there are only keys to sort, and no sorted_values
  value_t* sorted_keys;     // undefined before the call
  unsigned* sorted_values;  // undefined before the call
  std::size_t n;            // any size below 2^31; 0, too (the pointers may then be nullptr)
};

// Device memory for what a version needs on its way: at least 3 * n + 16384 numbers of 64 bits, 256-byte
// aligned. The harness owns it. Its contents are undefined when your function is called, and they are not
// read afterwards.
struct Workspace {
  unsigned long long* data;
  std::size_t count;
};

extern "C" {

// Every version writes the pairs, or the keys alone, in rising order of the keys.
// It is stable: pairs of equal keys keep the order in which they came. A key keeps all of its bits.
// Floats: -0 and +0 are equal. Every NaN comes behind all other keys, and any two of them are equal.
//   work    device memory, see above.
//   stream  queue kernels, copies and memsets here, and only here; then return. The caller waits for them.
// A version chooses its own grid and block size, gives back what it allocates, and works each time it is
// called. It cannot return an error: the harness asks cudaGetLastError after every call, then waits for the
// stream.
using sort_fn = void(Pairs pairs, Workspace work, cudaStream_t stream);

sort_fn q01_odd_even_blocks;
sort_fn q02_bitonic_blocks;
sort_fn q03_bitonic_grid;
sort_fn q04_merge;
sort_fn q05_radix;
sort_fn q06_thrust;

// Given complete, to compare with.
sort_fn q09_thrust_by_key;

// The course's own, to compare with; you need not write them.
sort_fn q07_cub;
sort_fn q08_peak;

}  // extern "C"
