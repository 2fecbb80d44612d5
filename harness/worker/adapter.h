// Interface between the generic worker and a version: each assignment has an adapter.cu that implements these
// functions for one value type. It is built like a submission, for either engine, and loaded beside it.
#pragma once

#include <cstdint>

extern "C" {

// Part of a device buffer.
struct WarpmarkView {
  void* data;
  std::uint64_t bytes;
};

// Calls `function`, an exported version, on `stream` (a cudaStream_t). Buffers and scalars come in the order
// in which the assignment's Problem names them (harness/assignments/assignment.h).
void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars, void* stream);

// Calls the submission's upload function with `count` values in host memory and returns what it returned.
// Only in assignments whose rubric names an upload function.
void* warpmark_upload(void* function, const void* host_values, std::uint64_t count);

}  // extern "C"
