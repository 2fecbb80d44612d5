// The data structures behind cudaGraph_t, cudaGraphNode_t and cudaGraphExec_t.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <warpmark_cuda/types/launch_attributes.h>
#include <warpmark_cuda/types/launch_enumerators.h>

#include "harness/simulator/program/stream_capture.h"

// A kernel launch recorded for a graph node: kernel, launch configuration, and a copy of the arguments.
struct RecordedLaunch {
  const void* kernel = nullptr;
  dim3 grid, block;
  std::size_t shared_bytes = 0;
  std::vector<std::vector<std::byte>> arguments;
  bool cooperative = false;

  cudaError_t operator()(cudaStream_t stream) const {
    std::vector<void*> pointers;
    for (const auto& argument : arguments) pointers.push_back(const_cast<std::byte*>(argument.data()));
    return cooperative
               ? cudaLaunchCooperativeKernel(kernel, grid, block, pointers.data(), shared_bytes, stream)
               : cudaLaunchKernel(kernel, grid, block, pointers.data(), shared_bytes, stream);
  }
};

// The value behind a cudaGraphConditionalHandle: a word of device memory that kernels set.
struct GraphCondition {
  void* word = nullptr;
  unsigned int initial = 0;
  bool at_each_launch = false;
  // true if a conditional graph node uses the conditional handle; CUDA allows only one node per handle
  bool is_used = false;

  GraphCondition() = default;
  GraphCondition(const GraphCondition&) = delete;
  GraphCondition& operator=(const GraphCondition&) = delete;
  ~GraphCondition();
};

// Body graphs of a conditional graph node (if, while, switch), its type and its condition.
struct GraphBodies {
  std::shared_ptr<GraphCondition> condition;
  cudaGraphConditionalNodeType type = cudaGraphCondTypeIf;
  std::vector<cudaGraph_t> graphs;

  GraphBodies() = default;
  GraphBodies(const GraphBodies&) = delete;
  GraphBodies& operator=(const GraphBodies&) = delete;
  ~GraphBodies();
};

struct CUgraphNode_st {
  CUgraph_st* graph = nullptr;
  std::size_t number = 0;  // index of the node in its graph; the same in copies of the graph
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  warpmark::simulator::GraphWork work;
  std::set<std::size_t> after;  // numbers of the graph nodes that this node depends on (incoming edges)
  const void* kernel = nullptr;
  std::shared_ptr<RecordedLaunch> launch;
  std::vector<void*> pointers{};  // kernel argument pointers that cudaGraphKernelNodeGetParams returns
  // Parameters of a copy, memset or host-function graph node, which the node's work function receives.
  std::vector<std::byte> data{};
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};
  bool enabled = true;
  std::shared_ptr<GraphBodies> bodies{};
};

struct CUgraph_st {
  // all nodes of a graph by node number; null where cudaGraphDestroyNode removed one
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<GraphCondition>> conditions;
  // outermost enclosing graph of a graph that is the body of a conditional node; null for any other graph
  CUgraph_st* root = nullptr;
  // Expires with the executable graph (cudaGraphExec_t) that was instantiated from this graph. Set only for
  // graphs with conditional nodes, because these may have only one executable at a time.
  std::weak_ptr<void> instance;
};
struct CUgraphExec_st {
  CUgraph_st graph;
  std::vector<std::size_t> order;
  std::shared_ptr<void> instance;
};

namespace warpmark::simulator {

CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, GraphWork work);
// Copies a kernel node's launch parameters with its arguments. Returns nullopt if the program has no such
// kernel.
std::optional<RecordedLaunch> recorded(const cudaKernelNodeParams& launch, bool cooperative);
void set_launch(CUgraphNode_st& node, RecordedLaunch launch);
// Like cudaGraphInstantiate, but also accepts the body graph of a conditional node.
cudaError_t instantiate(cudaGraphExec_t* executable, CUgraph_st& graph);
// Instantiates the body graphs, as they are now, of all conditional nodes in `graph`, an executable graph's
// own copy.
cudaError_t instantiate_bodies(CUgraph_st& graph);
// Resets the values of those conditional handles of the graph that were created with
// cudaGraphCondAssignDefault; called per launch.
cudaError_t set_conditions(const CUgraph_st& graph);
[[nodiscard]] bool has_bodies(const CUgraph_st& graph);

// Allocates the memory of a graph's allocation node and stores in `work` a no-op that shares ownership of it.
// The memory is released with the last graph node that holds this no-op, if the program or a free node has
// freed it.
cudaError_t allocate_for_graph(void** pointer, std::size_t bytes, GraphWork& work);
// Returns the work function of a graph's free node: a no-op if a graph allocated the memory, which is then
// released with that graph; else a function that calls cudaFreeAsync at each launch.
GraphWork freeing(void* pointer);
// See StreamCapture::owns_freed().
bool owns_freed(void* pointer);

}  // namespace warpmark::simulator
