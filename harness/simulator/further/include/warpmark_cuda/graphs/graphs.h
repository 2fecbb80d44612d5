// The graph API: graphs captured from streams or built node by node.
#pragma once

#include "warpmark_cuda/images/arrays.h"
#include "warpmark_cuda/types/graph_types.h"

extern "C" {
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus* status);
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const struct cudaKernelNodeParams* launch);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams* launch);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams* launch);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams* launch);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
// Not part of CUDA: __cudaGraphAddWork adds a node that calls `work` with a copy of `bytes` bytes of `data`;
// __cudaGraphSetWork changes such a node, in the executable graph if `executable` is not null.
cudaError_t __cudaGraphAddWork(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                               size_t count, enum cudaGraphNodeType type,
                               cudaError_t (*work)(const void* data, cudaStream_t stream), const void* data,
                               size_t bytes);
cudaError_t __cudaGraphSetWork(cudaGraphExec_t executable, cudaGraphNode_t node,
                               cudaError_t (*work)(const void* data, cudaStream_t stream), const void* data,
                               size_t bytes);
cudaError_t __cudaGraphAddEdges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                size_t count);
cudaError_t __cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                  enum cudaGraphExecUpdateResult* result);
}

// cudaGraphInstantiate and cudaGraphExecUpdate, overloaded for the signatures of CUDA 12 and later and of
// earlier versions, which also return the failing node and an error text.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                        unsigned long long flags = 0) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*,
                                        char*, size_t) {
  return cudaGraphInstantiateWithFlags(executable, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                       cudaGraphExecUpdateResultInfo* info) {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  const cudaError_t error = __cudaGraphExecUpdate(executable, graph, &result);
  if (info != nullptr) *info = cudaGraphExecUpdateResultInfo{result, nullptr, nullptr};
  return error;
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* node,
                                       cudaGraphExecUpdateResult* result) {
  if (node != nullptr) *node = nullptr;
  return __cudaGraphExecUpdate(executable, graph, result);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return __cudaGraphAddEdges(graph, from, to, count);
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, const void*, size_t count) {
  return __cudaGraphAddEdges(graph, from, to, count);
}
template <typename T>
inline cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, size_t count, T* launch) {
  return ::cudaGraphAddKernelNode(node, graph, after, count, (const cudaKernelNodeParams*)launch);
}

// Parameters of a CUDA graph's copy, memset and host-function nodes, and the functions that execute these
// nodes.
struct WarpmarkGraphCopy {
  void* to;
  const void* from;
  size_t bytes;
  enum cudaMemcpyKind kind;
};
inline cudaError_t warpmark_graph_copy(const void* data, cudaStream_t stream) {
  const WarpmarkGraphCopy& copy = *(const WarpmarkGraphCopy*)data;
  return ::cudaMemcpyAsync(copy.to, copy.from, copy.bytes, copy.kind, stream);
}
inline cudaError_t warpmark_graph_copy_3d(const void* data, cudaStream_t stream) {
  return cudaMemcpy3DAsync((const cudaMemcpy3DParms*)data, stream);
}
// Performs a memset node. Values of 2- and 4-byte elements are supported only if all of their bytes are
// equal, because cudaMemset2DAsync sets bytes.
inline cudaError_t warpmark_graph_fill(const void* data, cudaStream_t stream) {
  const cudaMemsetParams& fill = *(const cudaMemsetParams*)data;
  const unsigned int byte = fill.value & 0xff;
  const unsigned int whole = fill.elementSize == 1   ? byte
                             : fill.elementSize == 2 ? byte * 0x101
                                                     : byte * 0x1010101;
  if (fill.value != whole) return cudaErrorNotSupported;
  const size_t width = fill.width * fill.elementSize;
  return fill.height <= 1 ? ::cudaMemsetAsync(fill.dst, (int)byte, width, stream)
                          : ::cudaMemset2DAsync(fill.dst, fill.pitch, (int)byte, width, fill.height, stream);
}
inline cudaError_t warpmark_graph_call(const void* data, cudaStream_t stream) {
  const cudaHostNodeParams& call = *(const cudaHostNodeParams*)data;
  return ::cudaLaunchHostFunc(stream, call.fn, call.userData);
}

inline cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count, void* to,
                                            const void* from, size_t bytes, cudaMemcpyKind kind) {
  const WarpmarkGraphCopy copy{to, from, bytes, kind};
  return __cudaGraphAddWork(node, graph, after, count, cudaGraphNodeTypeMemcpy, warpmark_graph_copy, &copy,
                            sizeof copy);
}
inline cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, size_t count,
                                          const cudaMemcpy3DParms* copy) {
  return __cudaGraphAddWork(node, graph, after, count, cudaGraphNodeTypeMemcpy, warpmark_graph_copy_3d, copy,
                            sizeof *copy);
}
inline cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, size_t count,
                                          const cudaMemsetParams* fill) {
  return __cudaGraphAddWork(node, graph, after, count, cudaGraphNodeTypeMemset, warpmark_graph_fill, fill,
                            sizeof *fill);
}
inline cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        const cudaHostNodeParams* call) {
  return __cudaGraphAddWork(node, graph, after, count, cudaGraphNodeTypeHost, warpmark_graph_call, call,
                            sizeof *call);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                      void* to, const void* from, size_t bytes,
                                                      cudaMemcpyKind kind) {
  const WarpmarkGraphCopy copy{to, from, bytes, kind};
  return __cudaGraphSetWork(executable, node, warpmark_graph_copy, &copy, sizeof copy);
}
inline cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaMemcpy3DParms* copy) {
  return __cudaGraphSetWork(executable, node, warpmark_graph_copy_3d, copy, sizeof *copy);
}
inline cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                    const cudaMemsetParams* fill) {
  return __cudaGraphSetWork(executable, node, warpmark_graph_fill, fill, sizeof *fill);
}
inline cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                  const cudaHostNodeParams* call) {
  return __cudaGraphSetWork(executable, node, warpmark_graph_call, call, sizeof *call);
}
