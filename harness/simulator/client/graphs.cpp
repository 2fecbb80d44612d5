#include "harness/simulator/client/graphs.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <warpmark_cuda/graphs.h>

#include "harness/simulator/client/forward.h"

using namespace warpmark::simulator;

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
  GraphWork work;
  std::set<std::size_t> after;  // numbers
  const void* kernel = nullptr;
  std::shared_ptr<RecordedLaunch> launch;
  std::vector<void*> pointers{};  // for who asks for the parameters
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // by number; destroyed ones are null
};
struct CUgraphExec_st {
  CUgraph_st graph;
  std::vector<std::size_t> order;
};

namespace {

struct Capture {
  std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
  cudaStream_t origin = nullptr;
  bool invalid = false;
};

// The captures of this process, by each of their streams.
struct Captures {
  std::mutex mutex;
  std::map<cudaStream_t, std::shared_ptr<Capture>> streams;
  std::map<cudaEvent_t, std::weak_ptr<Capture>> events;
  std::atomic<int> count{0};
  // Since an event was recorded in a capture.
  std::atomic<bool> any_event{false};
};

Captures& captures() {
  static Captures all;
  return all;
}

std::shared_ptr<Capture> capture_of(cudaStream_t stream) {
  Captures& all = captures();
  if (all.count.load() == 0) return nullptr;
  const std::lock_guard lock(all.mutex);
  const auto found = all.streams.find(stream);
  return found == all.streams.end() ? nullptr : found->second;
}

CUgraphNode_st& add_node(CUgraph_st& graph, cudaGraphNodeType type, GraphWork work) {
  auto node = std::make_unique<CUgraphNode_st>();
  node->graph = &graph;
  node->number = graph.nodes.size();
  node->type = type;
  node->work = std::move(work);
  graph.nodes.push_back(std::move(node));
  return *graph.nodes.back();
}

// Captured work is done in the order in which it was queued, which keeps the order of each stream and event.
void follow_last(CUgraphNode_st& node) {
  if (node.number > 0) node.after.insert(node.number - 1);
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

void copy_nodes(const CUgraph_st& from, CUgraph_st& to) {
  to.nodes.clear();
  for (const auto& node : from.nodes) {
    to.nodes.push_back(node ? std::make_unique<CUgraphNode_st>(*node) : nullptr);
    if (node) to.nodes.back()->graph = &to;
  }
}

// Each node behind those that it waits for, earlier ones first. Empty where they wait for each other.
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

namespace warpmark::simulator {

bool captured(cudaStream_t stream, cudaGraphNodeType type, GraphWork work) {
  const auto capture = capture_of(stream);
  if (!capture) return false;
  const std::lock_guard lock(captures().mutex);
  follow_last(add_node(*capture->graph, type, std::move(work)));
  return true;
}

bool captured_launch(const cudaKernelNodeParams& launch, cudaStream_t stream, bool cooperative) {
  const auto capture = capture_of(stream);
  if (!capture) return false;
  auto copy = recorded(launch, cooperative);
  const std::lock_guard lock(captures().mutex);
  if (!copy) {
    capture->invalid = true;
    return true;
  }
  CUgraphNode_st& node = add_node(*capture->graph, cudaGraphNodeTypeKernel, {});
  set_launch(node, std::move(*copy));
  follow_last(node);
  return true;
}

bool is_capturing(cudaStream_t stream) {
  return capture_of(stream) != nullptr;
}

bool is_capturing() {
  return captures().count.load() != 0;
}

cudaError_t invalidate_capture(cudaStream_t stream) {
  if (const auto capture = capture_of(stream)) capture->invalid = true;
  return remember(cudaErrorStreamCaptureUnsupported);
}

bool captured_record(cudaEvent_t event, cudaStream_t stream) {
  const auto capture = capture_of(stream);
  if (!capture) return false;
  const std::lock_guard lock(captures().mutex);
  captures().events[event] = capture;
  captures().any_event = true;
  return true;
}

bool captured_wait(cudaStream_t stream, cudaEvent_t event) {
  Captures& all = captures();
  if (all.count.load() == 0 || !all.any_event.load()) return false;
  const std::lock_guard lock(all.mutex);
  const auto found = all.events.find(event);
  const auto capture = found == all.events.end() ? nullptr : found->second.lock();
  if (!capture) return false;
  all.streams[stream] = capture;
  return true;
}

}  // namespace warpmark::simulator

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
  // The legacy stream cannot be captured.
  if (stream == nullptr || stream == cudaStreamLegacy) return remember(cudaErrorStreamCaptureUnsupported);
  if (is_capturing(stream)) return remember(cudaErrorIllegalState);
  if (const cudaError_t error = cudaStreamQuery(stream); error != cudaSuccess) return error;
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  auto capture = std::make_shared<Capture>();
  capture->origin = stream;
  all.streams[stream] = std::move(capture);
  ++all.count;
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const auto capture = capture_of(stream);
  if (graph == nullptr) return invalid();
  *graph = nullptr;
  if (!capture) return remember(cudaErrorIllegalState);
  if (capture->origin != stream) return remember(cudaErrorStreamCaptureUnmatched);
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.streams, [&](const auto& each) { return each.second == capture; });
  --all.count;
  if (capture->invalid) return remember(cudaErrorStreamCaptureInvalidated);
  *graph = capture->graph.release();
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return invalid();
  const auto capture = capture_of(stream);
  *status = !capture           ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return invalid();
  *graph = new CUgraph_st;
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return invalid();
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || graph == nullptr) return invalid();
  *clone = new CUgraph_st;
  copy_nodes(*graph, **clone);
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long /*flags*/) {
  if (executable == nullptr || graph == nullptr) return invalid();
  const auto order = order_of(*graph);
  if (!order) return invalid();
  auto made = std::make_unique<CUgraphExec_st>();
  copy_nodes(*graph, made->graph);
  made->order = *order;
  *executable = made.release();
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return invalid();
  for (const std::size_t number : executable->order) {
    const CUgraphNode_st& node = *executable->graph.nodes[number];
    if (!node.work) continue;
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
  if (!fits(node, graph, after, count) || child == nullptr) return invalid();
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
  changed->work = [work, kept = std::vector<std::byte>(begin, begin + bytes)](cudaStream_t stream) {
    return work(kept.data(), stream);
  };
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
  return cudaSuccess;
}
