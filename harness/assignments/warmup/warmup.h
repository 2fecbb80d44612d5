// The contract of the assignment `warmup`: the interface between your files and the harness. Include it;
// never copy it.
//
// Write one file per version; each file exports the function of the same name.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file once for each type, so write value_t everywhere.
// Graded with int and float.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

extern "C" {

// Every version adds p to each of values[0..n), in place.
//   values  device memory (the CPU must not dereference this pointer), n values. May start at any multiple of
//           alignof(value_t). Do not read or write past values[n - 1].
//   n       the number of values: any size, including 0 (launch nothing then: an empty grid is an error).
//   p       a number, passed by value.
//   stream  queue the kernel on this stream, then return. The caller waits for it.
// A version returns no error: the harness calls cudaGetLastError after every call, then waits for the stream.
using add_fn = void(value_t* values, std::size_t n, value_t p, cudaStream_t stream);

add_fn w01_thread_per_element;
add_fn w02_grid_stride;

}  // extern "C"
