// The contract of the assignment `sort` for its versions in C++: all that your files and the harness agree
// on. Include it, never copy it.
//
// You write one file a version, h02_quicksort.cpp for instance; each file exports the function of its own
// name. It is compiled with g++ -std=c++20 -O3 -march=native -fopenmp -pthread. Use threads of the standard
// library or OpenMP. All memory here is ordinary memory.
#pragma once
#include <cstddef>

// The type of the keys. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int and float; it has 4 bytes.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

// n pairs of a key and a value, and where the sorted ones belong. All four are arrays of n, which do not
// overlap and may start at any multiple of 4 bytes. Past their ends nothing may be read or written.
struct Pairs {
  const value_t* keys;      // read only
  const unsigned* values;   // read only; nullptr: there are only keys to sort, and no sorted_values
  value_t* sorted_keys;     // undefined before the call
  unsigned* sorted_values;  // undefined before the call
  std::size_t n;            // any size below 2^31; 0, too (the pointers may then be nullptr)
};

// Memory for what a version needs on its way: at least 3 * n + 16384 numbers of 64 bits, 256-byte aligned.
// The harness owns it. Its contents are undefined when your function is called, and they are not read
// afterwards.
struct Workspace {
  unsigned long long* data;
  std::size_t count;
};

extern "C" {

// Every version writes the pairs in rising order of their keys, and returns when that is done: each thread
// that it starts has ended by then. It is stable: pairs of equal keys keep the order in which they came. A
// key keeps all of its bits. Floats: -0 and +0 are equal. Every NaN comes behind all other keys, and any two
// of them are equal. A version works each time it is called, gives back what it allocates, and throws
// nothing.
using sort_host_fn = void(Pairs pairs, Workspace work);

sort_host_fn h01_std_sort;
sort_host_fn h02_quicksort;
sort_host_fn h03_merge_sort;

}  // extern "C"
