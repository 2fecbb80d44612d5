// The contract of the assignment `warmup`: all that your files and the harness agree on. Include it, never
// copy it.
//
// You write one file a version; each file exports the function of its own name.
#pragma once
#include <cstddef>

#include <cuda_runtime.h>

// The type of the values. The harness builds every file more than once, each time with another type, so write
// value_t everywhere. Graded with int and float.
#ifndef WARPMARK_VALUE
#define WARPMARK_VALUE int
#endif
using value_t = WARPMARK_VALUE;

extern "C" {

// Every version adds p to each of values[0..n), in place.
//   values  device memory (the CPU must not follow this pointer), n values. May start at any multiple of
//           alignof(value_t). Past values[n - 1] nothing may be read.
//   n       counted in values; any size. 0, too: there is nothing to do then, and an empty grid is an error.
//   p       an ordinary number, passed by value.
//   stream  queue the kernel here; then return. The caller waits for it.
// A version cannot return an error: the harness asks cudaGetLastError after every call, then waits for the
// stream.
using add_fn = void(value_t* values, std::size_t n, value_t p, cudaStream_t stream);

add_fn w01_thread_per_element;
add_fn w02_grid_stride;

}  // extern "C"
