// CUDA graph API: functions that build, change, instantiate and launch graphs.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <warpmark_cuda/graphs/graphs.h>

#include "harness/simulator/further/graphs/nodes.h"
#include "harness/simulator/program/forward.h"

using namespace warpmark::simulator;

namespace warpmark::simulator {

CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, GraphWork work) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->graph = &graph;
  node->number = graph.nodes.size();
  node->type = type;
  node->work = std::move(work);
  graph.nodes.push_back(std::move(node));
  return *graph.nodes.back();
}

std::optional<RecordedLaunch> recorded(const cudaKernelNodeParams& launch, bool cooperative) {
  cudaError_t error = cudaSuccess;
  const auto sizes = Connection::instance().parameter_sizes(launch.func, error);
  if (!sizes || (!sizes->empty() && launch.kernelParams == nullptr)) return std::nullopt;
  RecordedLaunch copy{launch.func, launch.gridDim, launch.blockDim, launch.sharedMemBytes, {}, cooperative};
  for (std::size_t i = 0; i < sizes->size(); ++i) {
    const auto* bytes = static_cast<const std::byte*>(launch.kernelParams[i]);
    copy.arguments.emplace_back(bytes, bytes + (*sizes)[i]);
  }
  return copy;
}

void set_launch(CUgraphNode_st& node, RecordedLaunch launch) {
  node.kernel = launch.kernel;
  node.launch = std::make_shared<RecordedLaunch>(std::move(launch));
  node.work = [kept = node.launch](cudaStream_t stream) { return (*kept)(stream); };
}

}  // namespace warpmark::simulator

namespace {

void copy_nodes(const CUgraph_st& from, CUgraph_st& to) {
  to.nodes.clear();
  for (const auto& node : from.nodes) {
    to.nodes.push_back(node ? std::make_unique<CUgraphNode_st>(*node) : nullptr);
    if (node) to.nodes.back()->graph = &to;
  }
  to.conditions = from.conditions;
}

// Returns a topological order of the nodes (by number where the edges allow); nullopt if there is a cycle.
std::optional<std::vector<std::size_t>> order_of(const CUgraph_st& graph) {
  std::vector<std::size_t> order;
  std::vector<bool> done(graph.nodes.size());
  std::size_t left = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    done[i] = graph.nodes[i] == nullptr;
    left += done[i] ? 0 : 1;
  }
  while (left > 0) {
    const std::size_t before = left;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      if (done[i]) continue;
      const auto& after = graph.nodes[i]->after;
      if (!std::ranges::all_of(after, [&](std::size_t other) { return done[other]; })) continue;
      done[i] = true;
      order.push_back(i);
      --left;
    }
    if (left == before) return std::nullopt;
  }
  return order;
}

cudaError_t invalid() {
  return remember(cudaErrorInvalidValue);
}

cudaError_t finish_node(CUgraphNode_st& added, cudaGraphNode_t* node, const cudaGraphNode_t* after,
                        std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) added.after.insert(after[i]->number);
  *node = &added;
  return cudaSuccess;
}

bool fits(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count) {
  return node != nullptr && graph != nullptr &&
         (count == 0 || (after != nullptr && std::all_of(after, after + count, [&](cudaGraphNode_t each) {
                           return each != nullptr && each->graph == graph;
                         })));
}

CUgraphNode_st* node_in(cudaGraphExec_t executable, cudaGraphNode_t node) {
  if (executable == nullptr) return node;
  if (node == nullptr || node->number >= executable->graph.nodes.size()) return nullptr;
  return executable->graph.nodes[node->number].get();
}

}  // namespace

cudaError_t warpmark::simulator::instantiate(cudaGraphExec_t* executable, CUgraph_st& graph) {
  const auto order = order_of(graph);
  if (!order) return invalid();
  auto made = std::make_unique<CUgraphExec_st>();
  copy_nodes(graph, made->graph);
  if (const cudaError_t error = instantiate_bodies(made->graph); error != cudaSuccess) return error;
  made->order = *order;
  *executable = made.release();
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return invalid();
  *graph = new CUgraph_st;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr || graph->root != nullptr) return invalid();
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || graph == nullptr) return invalid();
  if (graph->root != nullptr || has_bodies(*graph)) return remember(cudaErrorNotSupported);
  *clone = new CUgraph_st;
  copy_nodes(*graph, **clone);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long /*flags*/) {
  if (executable == nullptr || graph == nullptr) return invalid();
  if (graph->root != nullptr || !graph->instance.expired()) return remember(cudaErrorNotSupported);
  if (const cudaError_t error = instantiate(executable, *graph); error != cudaSuccess) return error;
  if (has_bodies(*graph)) graph->instance = (*executable)->instance = std::make_shared<char>();
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return invalid();
  if (const cudaError_t error = set_conditions(executable->graph); error != cudaSuccess) return error;
  for (const std::size_t number : executable->order) {
    const CUgraphNode_st& node = *executable->graph.nodes[number];
    if (!node.work || !node.enabled) continue;
    if (const cudaError_t error = node.work(stream); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t /*stream*/) {
  return executable == nullptr ? invalid() : cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr) return invalid();
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* launch) {
  if (!fits(node, graph, after, count) || launch == nullptr) return invalid();
  auto copy = recorded(*launch, false);
  if (!copy) return remember(cudaErrorInvalidDeviceFunction);
  CUgraphNode_st& added = add_node(*graph, cudaGraphNodeTypeKernel, {});
  set_launch(added, std::move(*copy));
  return finish_node(added, node, after, count);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* launch) {
  if (executable != nullptr && node != nullptr && node->graph->root != nullptr)
    // Changing a kernel node inside a conditional node's body in an executable graph is legal in CUDA, but
    // the simulator does not support it.
    return remember(cudaErrorNotSupported);
  CUgraphNode_st* changed = node_in(executable, node);
  if (changed == nullptr || launch == nullptr || changed->type != cudaGraphNodeTypeKernel) return invalid();
  auto copy = recorded(*launch, changed->launch->cooperative);
  if (!copy) return remember(cudaErrorInvalidDeviceFunction);
  set_launch(*changed, std::move(*copy));
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* launch) {
  return cudaGraphExecKernelNodeSetParams(nullptr, node, launch);
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* launch) {
  if (node == nullptr || launch == nullptr || !node->launch) return invalid();
  const RecordedLaunch& kept = *node->launch;
  node->pointers.clear();
  for (const auto& argument : kept.arguments)
    node->pointers.push_back(const_cast<std::byte*>(argument.data()));
  *launch = {
      const_cast<void*>(kept.kernel), kept.grid, kept.block, static_cast<unsigned int>(kept.shared_bytes),
      node->pointers.data(),          nullptr};
  return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
  if (!fits(node, graph, after, count)) return invalid();
  return finish_node(add_node(*graph, cudaGraphNodeTypeEmpty, {}), node, after, count);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
  if (!fits(node, graph, after, count) || child == nullptr || has_bodies(*child)) return invalid();
  cudaGraphExec_t made = nullptr;
  if (const cudaError_t error = cudaGraphInstantiateWithFlags(&made, child, 0); error != cudaSuccess)
    return error;
  auto work = [kept = std::shared_ptr<CUgraphExec_st>(made)](cudaStream_t stream) {
    return cudaGraphLaunch(kept.get(), stream);
  };
  return finish_node(add_node(*graph, cudaGraphNodeTypeGraph, std::move(work)), node, after, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (graph == nullptr || count == nullptr) return invalid();
  std::size_t found = 0;
  for (const auto& node : graph->nodes) {
    if (!node) continue;
    if (nodes != nullptr && found < *count) nodes[found] = node.get();
    ++found;
  }
  *count = nodes == nullptr ? found : std::min(found, *count);
  return cudaSuccess;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (graph == nullptr || count == nullptr) return invalid();
  std::size_t found = 0;
  for (const auto& node : graph->nodes) {
    if (!node || !node->after.empty()) continue;
    if (nodes != nullptr && found < *count) nodes[found] = node.get();
    ++found;
  }
  *count = nodes == nullptr ? found : std::min(found, *count);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (node == nullptr || type == nullptr) return invalid();
  *type = node->type;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (node == nullptr) return invalid();
  CUgraph_st& graph = *node->graph;
  const std::size_t number = node->number;
  for (const auto& other : graph.nodes) {
    if (other) other->after.erase(number);
  }
  graph.nodes[number].reset();
  return cudaSuccess;
}

cudaError_t __cudaGraphAddWork(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                               size_t count, cudaGraphNodeType type,
                               cudaError_t (*work)(const void* data, cudaStream_t stream), const void* data,
                               size_t bytes) {
  if (!fits(node, graph, after, count) || data == nullptr) return invalid();
  CUgraphNode_st& added = add_node(*graph, type, {});
  if (const cudaError_t error = __cudaGraphSetWork(nullptr, &added, work, data, bytes); error != cudaSuccess)
    return error;
  return finish_node(added, node, after, count);
}

cudaError_t __cudaGraphSetWork(cudaGraphExec_t executable, cudaGraphNode_t node,
                               cudaError_t (*work)(const void* data, cudaStream_t stream), const void* data,
                               size_t bytes) {
  CUgraphNode_st* changed = node_in(executable, node);
  if (changed == nullptr || data == nullptr) return invalid();
  const auto* begin = static_cast<const std::byte*>(data);
  changed->data.assign(begin, begin + bytes);
  changed->work = [work, kept = changed->data](cudaStream_t stream) { return work(kept.data(), stream); };
  return cudaSuccess;
}

cudaError_t __cudaGraphAddEdges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                size_t count) {
  if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return invalid();
  for (std::size_t i = 0; i < count; ++i) to[i]->after.insert(from[i]->number);
  return cudaSuccess;
}

cudaError_t __cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                  cudaGraphExecUpdateResult* result) {
  if (executable == nullptr || graph == nullptr) return invalid();
  const auto& old = executable->graph.nodes;
  const bool same = std::ranges::equal(old, graph->nodes, [](const auto& a, const auto& b) {
    return (a == nullptr) == (b == nullptr) && (!a || (a->type == b->type && a->after == b->after));
  });
  if (result != nullptr)
    *result = same ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
  if (!same) return remember(cudaErrorGraphExecUpdateFailure);
  copy_nodes(*graph, executable->graph);
  return instantiate_bodies(executable->graph);
}
