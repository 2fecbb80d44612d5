// Copies as work on a stream, by pointer; symbols.cpp copies by symbol.
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "harness/simulator/device/runtime/runtime.h"

namespace warpmark::simulator {

// True for host memory that CUDA does not know: from malloc, new or the stack.
bool is_pageable(const Runtime& runtime, const void* pointer);

// Validates a copy and enqueues it on the stream; an invalid one is reported as a finding, which names
// `function`, and returns its CUDA error. host_waits: the runtime function is synchronous.
cudaError_t queue_copy(Runtime& runtime, const char* function, void* to, const void* from, std::size_t bytes,
                       cudaMemcpyKind kind, cudaStream_t stream, bool host_waits);

}  // namespace warpmark::simulator
