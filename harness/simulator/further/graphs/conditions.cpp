// Conditional graph nodes: bodies launched depending on a value that kernels set.
#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <warpmark_cuda/graphs/graph_conditions.h>
#include <warpmark_cuda/graphs/graphs.h>

#include "harness/simulator/further/graphs/nodes.h"
#include "harness/simulator/program/forward.h"

using namespace warpmark::simulator;

namespace {

// Conditions of the conditional nodes of all graphs, by their cudaGraphConditionalHandle.
struct AllConditions {
  std::mutex mutex;
  std::map<cudaGraphConditionalHandle, std::weak_ptr<GraphCondition>> by_handle;
};

AllConditions& all_conditions() {
  static AllConditions all;
  return all;
}

std::shared_ptr<GraphCondition> condition_of(cudaGraphConditionalHandle handle) {
  AllConditions& all = all_conditions();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_handle.find(handle);
  return found == all.by_handle.end() ? nullptr : found->second.lock();
}

cudaError_t invalid_handle() {
  return remember(cudaErrorInvalidValue);
}

cudaError_t set(const GraphCondition& condition) {
  unsigned int value = condition.initial;
  return warpmark_device_graph_condition(condition.word, &value, 1);
}

// True if the graph has only node types that CUDA allows in a conditional body.
bool is_for_bodies(const CUgraph_st& graph) {
  return std::ranges::all_of(graph.nodes, [](const auto& node) {
    return !node || node->type == cudaGraphNodeTypeKernel || node->type == cudaGraphNodeTypeEmpty ||
           node->type == cudaGraphNodeTypeGraph || node->type == cudaGraphNodeTypeMemset ||
           node->type == cudaGraphNodeTypeMemcpy || node->type == cudaGraphNodeTypeConditional;
  });
}

using Bodies = std::vector<std::shared_ptr<CUgraphExec_st>>;

// Returns the index of the body graph that a conditional graph node (if, while, switch) launches for the
// condition's value; nullopt if no body is to run.
std::optional<std::size_t> chosen(cudaGraphConditionalNodeType type, std::size_t bodies, unsigned int value) {
  const std::size_t body = type == cudaGraphCondTypeSwitch ? value : value != 0 ? 0 : 1;
  if (body >= bodies) return std::nullopt;
  return body;
}

GraphWork launch_of(const GraphBodies& node, Bodies bodies) {
  return [condition = node.condition, type = node.type, kept = std::move(bodies)](cudaStream_t stream) {
    if (StreamCapture::instance().invalidates(stream)) return remember(cudaErrorStreamCaptureUnsupported);
    for (;;) {
      unsigned int value = 0;
      cudaError_t error = warpmark_device_graph_condition(condition->word, &value, 0);
      const auto body = chosen(type, kept.size(), value);
      if (error != cudaSuccess || !body) return error;
      error = cudaGraphLaunch(kept[*body].get(), stream);
      if (error != cudaSuccess || type != cudaGraphCondTypeWhile) return error;
    }
  };
}

}  // namespace

GraphCondition::~GraphCondition() {
  AllConditions& all = all_conditions();
  {
    const std::lock_guard lock(all.mutex);
    all.by_handle.erase(reinterpret_cast<cudaGraphConditionalHandle>(word));
  }
  if (word != nullptr) forward<&cudaFree>(word);
}

GraphBodies::~GraphBodies() {
  for (const cudaGraph_t graph : graphs) delete graph;
}

namespace warpmark::simulator {

cudaError_t instantiate_bodies(CUgraph_st& graph) {
  for (const auto& node : graph.nodes) {
    if (!node || !node->bodies) continue;
    Bodies made;
    for (const cudaGraph_t body : node->bodies->graphs) {
      if (!is_for_bodies(*body)) return invalid_handle();
      cudaGraphExec_t executable = nullptr;
      if (const cudaError_t error = instantiate(&executable, *body); error != cudaSuccess) return error;
      made.emplace_back(executable);
    }
    node->work = launch_of(*node->bodies, std::move(made));
  }
  return cudaSuccess;
}

cudaError_t set_conditions(const CUgraph_st& graph) {
  for (const auto& condition : graph.conditions) {
    if (!condition->at_each_launch) continue;
    if (const cudaError_t error = set(*condition); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

bool has_bodies(const CUgraph_st& graph) {
  return std::ranges::any_of(graph.nodes, [](const auto& node) { return node && node->bodies; });
}

}  // namespace warpmark::simulator

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags) {
  if (handle == nullptr || graph == nullptr || flags > cudaGraphCondAssignDefault) return invalid_handle();
  auto condition = std::make_shared<GraphCondition>();
  condition->initial = initial;
  condition->at_each_launch = flags == cudaGraphCondAssignDefault;
  if (const cudaError_t error = cudaMalloc(&condition->word, sizeof initial); error != cudaSuccess)
    return error;
  if (const cudaError_t error = set(*condition); error != cudaSuccess) return error;
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(condition->word);
  AllConditions& all = all_conditions();
  const std::lock_guard lock(all.mutex);
  all.by_handle[*handle] = condition;
  graph->conditions.push_back(std::move(condition));
  return cudaSuccess;
}

cudaError_t __cudaGraphAddBodies(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, cudaConditionalNodeParams* asked) {
  const auto condition = condition_of(asked->handle);
  const bool is_if = asked->type == cudaGraphCondTypeIf;
  const bool is_while = asked->type == cudaGraphCondTypeWhile;
  if (graph == nullptr) return invalid_handle();
  CUgraph_st* const root = graph->root != nullptr ? graph->root : graph;
  const bool is_ours = std::ranges::find(root->conditions, condition) != root->conditions.end() ||
                       std::ranges::find(graph->conditions, condition) != graph->conditions.end();
  if (!condition || condition->is_used || !is_ours || asked->size == 0 || (is_while && asked->size > 1) ||
      (is_if && asked->size > 2) || asked->type > cudaGraphCondTypeSwitch)
    return invalid_handle();
  if (const cudaError_t error = cudaGraphAddEmptyNode(node, graph, after, count); error != cudaSuccess)
    return error;
  condition->is_used = true;
  auto bodies = std::make_shared<GraphBodies>();
  bodies->condition = condition;
  bodies->type = asked->type;
  for (unsigned int i = 0; i < asked->size; ++i) {
    bodies->graphs.push_back(new CUgraph_st);
    bodies->graphs.back()->root = root;
  }
  asked->phGraph_out = bodies->graphs.data();
  (*node)->type = cudaGraphNodeTypeConditional;
  (*node)->bodies = std::move(bodies);
  return cudaSuccess;
}
