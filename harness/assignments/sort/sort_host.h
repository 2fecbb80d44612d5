// The contract of the assignment `sort` for its C++ versions: the interface between your files and the
// harness. Include it; never copy it.
//
// Write one file per version, for instance h02_quicksort.cpp; each file exports the function of the same
// name. It is compiled with g++ -std=c++20 -O3 -march=native -fopenmp -pthread. Use the standard library's
// threads or OpenMP. All pointers point to host memory.
#pragma once
#include <cstddef>

// The type of the keys. The harness builds every file once for each type, so write value_t everywhere. Graded
// with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// n pairs of a key and a value, and the output arrays. All four are arrays of n elements; they do not overlap
// and may start at any multiple of 4 bytes. Do not read or write past their ends.
struct Pairs {
  const value_t* keys;      // keys to sort by, read only
  const unsigned* values;   // moved with the keys, read only; nullptr: sort the keys alone, no sorted_values
  value_t* sorted_keys;     // output: the keys in ascending order; undefined before the call
  unsigned* sorted_values;  // output: the value of each sorted key; undefined before the call
  std::size_t n;  // number of pairs: any size below 2^31, including 0 (the pointers may then be nullptr)
};

// Scratch space: at least 3 * n + 16384 numbers of 64 bits, 256-byte aligned. The harness owns it. Its
// contents are undefined when your function is called, and nobody reads them afterwards.
struct Workspace {
  unsigned long long* data;
  std::size_t count;
};

extern "C" {

// Every version writes the pairs in ascending order of their keys, joins all threads that it started, and
// returns. The sort is stable: pairs with equal keys keep their order in the input. The bits of a key do not
// change. Floats: -0 and +0 are equal. NaNs come after all other keys and are equal to each other. A version
// must work every time it is called, frees what it allocates, and throws no exception.
using sort_host_fn = void(Pairs pairs, Workspace work);

sort_host_fn h01_std_sort;
sort_host_fn h02_quicksort;
sort_host_fn h03_merge_sort;

}  // extern "C"
