// CUDA runtime functions that query a CUDA graph's nodes, edges and node parameters.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>

#include "harness/simulator/further/graphs/nodes.h"
#include "harness/simulator/program/forward.h"

// The header graph_queries.h must follow forward.h: it declares typed overloads of runtime functions, and
// forward.h takes the addresses of those functions, which overloads would make ambiguous.
#include <warpmark_cuda/graphs/graph_queries.h>

using namespace warpmark::simulator;

namespace {

cudaError_t invalid_query() {
  return remember(cudaErrorInvalidValue);
}

// Returns graph nodes or edges to a graph query's caller: writes at most *count entries to the caller's
// arrays, then sets *count to the number written (null arrays: to the number that exist).
class Entries {
 public:
  explicit Entries(std::size_t* count) : count_(count), room_(*count) {}
  void add(cudaGraphNode_t* first, cudaGraphNode_t a, cudaGraphNode_t* second, cudaGraphNode_t b) {
    any_ = any_ || first != nullptr || second != nullptr;
    if (found_ < room_ && first != nullptr) first[found_] = a;
    if (found_ < room_ && second != nullptr) second[found_] = b;
    ++found_;
  }
  void finish() const { *count_ = any_ ? std::min(found_, room_) : found_; }

 private:
  std::size_t* count_;
  std::size_t room_, found_ = 0;
  bool any_ = false;
};

const char* name_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "SUBGRAPH";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    default:
      return "EMPTY";
  }
}

// Returns the node of the executable graph that corresponds to a node of its source graph, or null.
CUgraphNode_st* counterpart(cudaGraphExec_t executable, cudaGraphNode_t node) {
  if (executable == nullptr || node == nullptr || node->number >= executable->graph.nodes.size())
    return nullptr;
  return executable->graph.nodes[node->number].get();
}

}  // namespace

cudaError_t __cudaGraphEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  if (graph == nullptr || count == nullptr) return invalid_query();
  Entries edges(count);
  for (const auto& node : graph->nodes) {
    if (!node) continue;
    for (const std::size_t before : node->after) edges.add(from, graph->nodes[before].get(), to, node.get());
  }
  edges.finish();
  return cudaSuccess;
}

cudaError_t __cudaGraphNodeDependencies(cudaGraphNode_t node, cudaGraphNode_t* before, size_t* count) {
  if (node == nullptr || count == nullptr) return invalid_query();
  Entries entries(count);
  for (const std::size_t number : node->after)
    entries.add(before, node->graph->nodes[number].get(), nullptr, nullptr);
  entries.finish();
  return cudaSuccess;
}

cudaError_t __cudaGraphNodeDependents(cudaGraphNode_t node, cudaGraphNode_t* behind, size_t* count) {
  if (node == nullptr || count == nullptr) return invalid_query();
  Entries entries(count);
  for (const auto& other : node->graph->nodes) {
    if (other && other->after.contains(node->number)) entries.add(behind, other.get(), nullptr, nullptr);
  }
  entries.finish();
  return cudaSuccess;
}

cudaError_t __cudaGraphRemoveEdges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                   size_t count) {
  if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return invalid_query();
  for (std::size_t i = 0; i < count; ++i) to[i]->after.erase(from[i]->number);
  return cudaSuccess;
}

cudaError_t __cudaGraphGetWork(cudaGraphNode_t node, cudaGraphNodeType type, void* data, size_t bytes) {
  if (node == nullptr || data == nullptr || node->type != type || node->data.size() != bytes)
    return invalid_query();
  std::memcpy(data, node->data.data(), bytes);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int enabled) {
  CUgraphNode_st* changed = counterpart(executable, node);
  if (changed == nullptr) return invalid_query();
  changed->enabled = enabled != 0;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int* enabled) {
  const CUgraphNode_st* asked = counterpart(executable, node);
  if (asked == nullptr || enabled == nullptr) return invalid_query();
  *enabled = asked->enabled ? 1 : 0;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t clone) {
  if (node == nullptr || original == nullptr || clone == nullptr || original->number >= clone->nodes.size() ||
      !clone->nodes[original->number])
    return invalid_query();
  *node = clone->nodes[original->number].get();
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int /*flags*/) {
  if (graph == nullptr || path == nullptr) return invalid_query();
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), &std::fclose);
  if (!file) return remember(cudaErrorOperatingSystem);
  std::fputs("digraph dot {\n", file.get());
  for (const auto& node : graph->nodes) {
    if (!node) continue;
    std::fprintf(file.get(), "  node_%zu [label=\"%zu %s\"];\n", node->number, node->number,
                 name_of(node->type));
    for (const std::size_t before : node->after)
      std::fprintf(file.get(), "  node_%zu -> node_%zu;\n", before, node->number);
  }
  std::fputs("}\n", file.get());
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue* value) {
  if (node == nullptr || value == nullptr || !node->launch) return invalid_query();
  if (attribute == cudaLaunchAttributeCooperative) {
    RecordedLaunch changed = *node->launch;
    changed.cooperative = value->cooperative != 0;
    set_launch(*node, std::move(changed));
  }
  node->attributes[attribute] = *value;
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue* value) {
  if (node == nullptr || value == nullptr || !node->launch) return invalid_query();
  *value = node->attributes[attribute];
  return cudaSuccess;
}
