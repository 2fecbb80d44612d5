// CUDA graphs, replayed on the client: a launch re-issues the recorded calls in topological order on the
// launch stream. The device process has no notion of a graph.
#pragma once

#include <cstddef>
#include <functional>

#include <warpmark_cuda/graph_types.h>
#include <warpmark_cuda/host_runtime.h>

namespace warpmark::simulator {

// Issues a node's call on a stream.
using GraphWork = std::function<cudaError_t(cudaStream_t)>;

// If the stream is capturing, adds the work as a graph node and returns true; the caller must not run it.
bool captured(cudaStream_t stream, cudaGraphNodeType type, GraphWork work);
// The same for a kernel launch; its node's parameters can be changed later.
bool captured_launch(const cudaKernelNodeParams& launch, cudaStream_t stream, bool cooperative);
[[nodiscard]] bool is_capturing(cudaStream_t stream);
// True if any stream is capturing.
[[nodiscard]] bool is_capturing();
// cudaMallocAsync and cudaFreeAsync on a capturing stream.
cudaError_t captured_allocation(void** pointer, std::size_t bytes, cudaStream_t stream);
void captured_free(void* pointer, cudaStream_t stream);
// Returns true if a live graph owns the allocation. It is then only marked as freed by the program: it stays
// mapped, because the graph's next launch uses the same address again.
bool freed_behind_a_graph(void* pointer);
// Invalidates the stream's capture and returns cudaErrorStreamCaptureUnsupported.
cudaError_t invalidate_capture(cudaStream_t stream);
// Recording an event on a capturing stream makes the streams that wait for it join the capture. Both return
// true if the call was captured.
bool captured_record(cudaEvent_t event, cudaStream_t stream);
bool captured_wait(cudaStream_t stream, cudaEvent_t event);

}  // namespace warpmark::simulator
