// Graphs: work that is recorded once and launched many times. The device knows nothing of them: what a graph
// holds is called again, in an order that keeps its edges, on the stream that it is launched into.
#pragma once

#include <cstddef>
#include <functional>

#include <warpmark_cuda/graph_types.h>
#include <warpmark_cuda/host_runtime.h>

namespace warpmark::simulator {

// Calls the work on a stream.
using GraphWork = std::function<cudaError_t(cudaStream_t)>;

// Whether the stream is being captured. Then the work has become a node of its graph and is not to be done
// now.
bool captured(cudaStream_t stream, cudaGraphNodeType type, GraphWork work);
// A kernel with the bytes of its arguments; its node can be changed.
bool captured_launch(const cudaKernelNodeParams& launch, cudaStream_t stream, bool cooperative);
[[nodiscard]] bool is_capturing(cudaStream_t stream);
// Any stream at all.
[[nodiscard]] bool is_capturing();
// Memory that the graph of a captured stream allocates or frees.
cudaError_t captured_allocation(void** pointer, std::size_t bytes, cudaStream_t stream);
void captured_free(void* pointer, cudaStream_t stream);
// Whether a graph that is there allocates it: then it is freed with the graph, whose next launch uses it
// again.
bool freed_behind_a_graph(void* pointer);
// What is not possible while a stream is captured: the capture comes to nothing.
cudaError_t invalidate_capture(cudaStream_t stream);
// An event of a captured stream makes those that wait for it part of the capture. Whether that is so.
bool captured_record(cudaEvent_t event, cudaStream_t stream);
bool captured_wait(cudaStream_t stream, cudaEvent_t event);

}  // namespace warpmark::simulator
