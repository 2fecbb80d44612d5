// What a graph is made of.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <warpmark_cuda/launch_attributes.h>
#include <warpmark_cuda/launch_enumerators.h>

#include "harness/simulator/client/graphs.h"

// A kernel with its own copy of the arguments.
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

// What decides about bodies of graphs: a word of device memory.
struct GraphCondition {
  void* word = nullptr;
  unsigned int initial = 0;
  bool at_each_launch = false;
  bool is_used = false;  // by a node: there is one for each handle

  GraphCondition() = default;
  GraphCondition(const GraphCondition&) = delete;
  GraphCondition& operator=(const GraphCondition&) = delete;
  ~GraphCondition();
};

// Graphs of which a condition chooses one.
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
  std::size_t number = 0;  // in its graph; the same in copies of it
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  warpmark::simulator::GraphWork work;
  std::set<std::size_t> after;  // numbers
  const void* kernel = nullptr;
  std::shared_ptr<RecordedLaunch> launch;
  std::vector<void*> pointers{};  // for who asks for the parameters
  std::vector<std::byte> data{};  // what the work of a copy, fill or host function is called with
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes{};
  bool enabled = true;
  std::shared_ptr<GraphBodies> bodies{};
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // by number; destroyed ones are null
  std::vector<std::shared_ptr<GraphCondition>> conditions;
  CUgraph_st* root =
      nullptr;  // of a body, which a conditional node owns: the graph that holds all; else null
  // Of a graph with bodies: while there is an executable of it, there is no other.
  std::weak_ptr<void> instance;
};
struct CUgraphExec_st {
  CUgraph_st graph;
  std::vector<std::size_t> order;
  std::shared_ptr<void> instance;
};

namespace warpmark::simulator {

CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, GraphWork work);
// With the bytes of its arguments; empty where there is no such kernel.
std::optional<RecordedLaunch> recorded(const cudaKernelNodeParams& launch, bool cooperative);
void set_launch(CUgraphNode_st& node, RecordedLaunch launch);
// Of any graph, also of a body.
cudaError_t instantiate(cudaGraphExec_t* executable, CUgraph_st& graph);
// Of a copy of a graph: its conditional nodes launch their bodies as these are now.
cudaError_t instantiate_bodies(CUgraph_st& graph);
// Gives the conditions the values that a launch begins with.
cudaError_t set_conditions(const CUgraph_st& graph);
[[nodiscard]] bool has_bodies(const CUgraph_st& graph);

}  // namespace warpmark::simulator
