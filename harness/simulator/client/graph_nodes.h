// What a graph is made of.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <warpmark_cuda/launch_attributes.h>

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
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // by number; destroyed ones are null
};
struct CUgraphExec_st {
  CUgraph_st graph;
  std::vector<std::size_t> order;
};

namespace warpmark::simulator {

CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, GraphWork work);
// With the bytes of its arguments; empty where there is no such kernel.
std::optional<RecordedLaunch> recorded(const cudaKernelNodeParams& launch, bool cooperative);
void set_launch(CUgraphNode_st& node, RecordedLaunch launch);

}  // namespace warpmark::simulator
