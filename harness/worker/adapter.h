// C interface between the generic worker process, which runs student code, and one assignment. Each
// assignment implements these functions in adapter.cu for one element type. The adapter is compiled like a
// student's kernel file, for a GPU or the simulator, and loaded as a library of its own.
#pragma once

#include <cstdint>

extern "C" {

// A range of bytes in a device buffer, as the worker process passes it to an assignment's adapter.
struct WarpmarkView {
  void* data;
  std::uint64_t bytes;
};

// Calls `function`, which a student's kernel file exports, on `stream` (a cudaStream_t). Buffers and scalars
// come in the order in which the assignment's Problem lists them (harness/assignments/assignment.h).
void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars, void* stream);

// Calls the student's upload function with `count` elements in host memory and returns its result, a pointer
// to device memory. Only called if the assignment's rubric names an upload function.
void* warpmark_upload(void* function, const void* host_values, std::uint64_t count);

}  // extern "C"
