// Conditional graph nodes, whose condition kernels set, and stream capture into an existing graph.
#pragma once

#include "warpmark_cuda/graphs/graphs.h"
#include "warpmark_cuda/qualifiers.h"

typedef unsigned long long cudaGraphConditionalHandle;

struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  enum cudaGraphConditionalNodeType type;
  unsigned int size;
  cudaGraph_t* phGraph_out;  // output
};

extern "C" {
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial = 0, unsigned int flags = 0);
cudaError_t __cudaGraphAddBodies(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, struct cudaConditionalNodeParams* asked);
cudaError_t __cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count);
// Implements cudaStreamGetCaptureInfo: status, capture number, graph and last nodes of a stream's capture.
// All outputs except status may be null.
cudaError_t __cudaStreamCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                    unsigned long long* number, cudaGraph_t* graph,
                                    const cudaGraphNode_t** last, size_t* count);
cudaError_t __cudaStreamUpdateCapture(cudaStream_t stream, const cudaGraphNode_t* last, size_t count,
                                      unsigned int flags);
}

#if defined(__CUDA__)
WARPMARK_DEVICE void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int*)handle = value;
}
#endif
