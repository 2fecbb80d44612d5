// CUDA graph queries: edges, node parameters, enabled nodes.
#pragma once

#include "warpmark_cuda/graphs/graph_conditions.h"
#include "warpmark_cuda/graphs/graphs.h"
#include "warpmark_cuda/host/memory_pools.h"
#include "warpmark_cuda/types/launch_attributes.h"

typedef struct cudaGraphEdgeData_st {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaMemAllocNodeParams {
  struct cudaMemPoolProps poolProps;
  const struct cudaMemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  void* dptr;  // output
};

extern "C" {
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, struct cudaMemAllocNodeParams* allocation);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer);
// CUDA graph queries that return a list of nodes or edges. count: in, the capacity of the arrays; out, the
// number of entries. If the arrays are null, only the number is returned.
cudaError_t __cudaGraphEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count);
cudaError_t __cudaGraphNodeDependencies(cudaGraphNode_t node, cudaGraphNode_t* before, size_t* count);
cudaError_t __cudaGraphNodeDependents(cudaGraphNode_t node, cudaGraphNode_t* behind, size_t* count);
cudaError_t __cudaGraphRemoveEdges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                   size_t count);
// Returns a copy of a graph node's parameters (of a copy, memset or host function), as __cudaGraphAddWork
// stored them.
cudaError_t __cudaGraphGetWork(cudaGraphNode_t node, enum cudaGraphNodeType type, void* data, size_t bytes);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int* enabled);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone);
// cudaGraphDebugDotPrint: writes a CUDA graph to a file in Graphviz's DOT language.
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, enum cudaLaunchAttributeID attribute,
                                            const union cudaLaunchAttributeValue* value);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, enum cudaLaunchAttributeID attribute,
                                            union cudaLaunchAttributeValue* value);
}

inline void warpmark_no_edge_data(cudaGraphEdgeData* data, const size_t* count) {
  for (size_t i = 0; data != nullptr && i < *count; ++i) data[i] = cudaGraphEdgeData{};
}
// Overloads of each graph query with edge data, as in CUDA 13, and without.
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = __cudaGraphEdges(graph, from, to, count);
  if (error == cudaSuccess) warpmark_no_edge_data(data, count);
  return error;
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                     size_t* count) {
  return __cudaGraphEdges(graph, from, to, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* before,
                                                cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = __cudaGraphNodeDependencies(node, before, count);
  if (error == cudaSuccess) warpmark_no_edge_data(data, count);
  return error;
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* before,
                                                size_t* count) {
  return __cudaGraphNodeDependencies(node, before, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* behind,
                                                  cudaGraphEdgeData* data, size_t* count) {
  const cudaError_t error = __cudaGraphNodeDependents(node, behind, count);
  if (error == cudaSuccess) warpmark_no_edge_data(data, count);
  return error;
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* behind,
                                                  size_t* count) {
  return __cudaGraphNodeDependents(node, behind, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                               size_t count) {
  return __cudaGraphRemoveEdges(graph, from, to, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
  return __cudaGraphRemoveEdges(graph, from, to, count);
}

inline cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* call) {
  return __cudaGraphGetWork(node, cudaGraphNodeTypeHost, call, sizeof *call);
}
inline cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* call) {
  return cudaGraphExecHostNodeSetParams(nullptr, node, call);
}
inline cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* fill) {
  return __cudaGraphGetWork(node, cudaGraphNodeTypeMemset, fill, sizeof *fill);
}
inline cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* fill) {
  return cudaGraphExecMemsetNodeSetParams(nullptr, node, fill);
}
inline cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* copy) {
  return __cudaGraphGetWork(node, cudaGraphNodeTypeMemcpy, copy, sizeof *copy);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* copy) {
  return cudaGraphExecMemcpyNodeSetParams(nullptr, node, copy);
}
inline cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                                  size_t bytes, cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParams1D(nullptr, node, to, from, bytes, kind);
}

// The parameters of CUDA 12's cudaGraphAddNode, for a node of any type.
struct cudaGraphNodeParams {
  enum cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct cudaKernelNodeParams kernel;
    struct {
      int flags, reserved[3];
      struct cudaMemcpy3DParms copyParams;
    } memcpy;
    struct cudaMemsetParams memset;
    struct cudaHostNodeParams host;
    struct {
      cudaGraph_t graph;
    } graph;
    struct {
      cudaEvent_t event;
    } eventWait, eventRecord;
    struct cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, cudaGraphNodeParams* of) {
  if (of == nullptr) return warpmark_invalid_value();
  switch (of->type) {
    case cudaGraphNodeTypeKernel:
      return ::cudaGraphAddKernelNode(node, graph, after, count, (const cudaKernelNodeParams*)&of->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, after, count, &of->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(node, graph, after, count, &of->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(node, graph, after, count, &of->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, after, count, of->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, after, count);
    case cudaGraphNodeTypeConditional:
      return __cudaGraphAddBodies(node, graph, after, count, &of->conditional);
    default:
      return cudaErrorNotSupported;
  }
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* of) {
  return cudaGraphAddNode(node, graph, after, count, of);
}

// Queries of a stream capture's state, and stream capture into an existing CUDA graph, with the signatures of
// CUDA 13 and of earlier versions.
inline cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                 const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                 size_t count, enum cudaStreamCaptureMode) {
  return __cudaStreamBeginCaptureToGraph(stream, graph, after, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                            unsigned long long* number = nullptr,
                                            cudaGraph_t* graph = nullptr,
                                            const cudaGraphNode_t** last = nullptr,
                                            const cudaGraphEdgeData** data = nullptr,
                                            size_t* count = nullptr) {
  if (data != nullptr) *data = nullptr;
  return __cudaStreamCaptureInfo(stream, status, number, graph, last, count);
}
inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus* status,
                                            unsigned long long* number, cudaGraph_t* graph,
                                            const cudaGraphNode_t** last, size_t* count) {
  return __cudaStreamCaptureInfo(stream, status, number, graph, last, count);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* last,
                                                       const cudaGraphEdgeData*, size_t count,
                                                       unsigned int flags = 0) {
  return __cudaStreamUpdateCapture(stream, last, count, flags);
}
inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* last,
                                                       size_t count, unsigned int flags = 0) {
  return __cudaStreamUpdateCapture(stream, last, count, flags);
}

// cudaDeviceGraphMemTrim has nothing to free, because a CUDA graph's memory comes from ordinary allocations.
inline cudaError_t cudaDeviceGraphMemTrim(int) {
  return cudaSuccess;
}

inline cudaError_t cudaDeviceGetGraphMemAttribute(int, enum cudaGraphMemAttributeType, void* value) {
  if (value == nullptr) return warpmark_invalid_value();
  *(unsigned long long*)value = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSetGraphMemAttribute(int, enum cudaGraphMemAttributeType, void* value) {
  return value == nullptr ? warpmark_invalid_value() : cudaSuccess;
}
