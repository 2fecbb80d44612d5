// Stream capture: records a stream's work as a graph.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <warpmark_cuda/graphs/graph_conditions.h>
#include <warpmark_cuda/graphs/graphs.h>

#include "harness/simulator/further/graphs/nodes.h"
#include "harness/simulator/program/forward.h"

using namespace warpmark::simulator;

namespace {

struct Capture {
  // owns the graph being captured; null if the program captures into its own graph
  // (cudaStreamBeginCaptureToGraph)
  std::unique_ptr<CUgraph_st> own;
  CUgraph_st* graph = nullptr;
  std::vector<cudaGraphNode_t> last;  // graph nodes on which the next captured node will depend
  cudaStream_t origin = nullptr;
  unsigned long long number = 0;
  bool invalid = false;
};

// All captures in progress: `streams` maps each capturing stream to its capture, `events` each event
// recorded in a capturing stream.
struct Captures {
  std::mutex mutex;
  std::map<cudaStream_t, std::shared_ptr<Capture>> streams;
  std::map<cudaEvent_t, std::weak_ptr<Capture>> events;
  std::atomic<int> count{0};
  unsigned long long begun = 0;
  // true once the program recorded any event in a capturing stream; while false, cudaStreamWaitEvent need not
  // take the lock
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

// Captured work is a linear chain in call order, which preserves the order of every stream and event.
void follow_last(Capture& capture, CUgraphNode_st& node) {
  for (const cudaGraphNode_t before : capture.last) node.after.insert(before->number);
  capture.last = {&node};
}

// Begins a stream capture. own: the new graph; null for cudaStreamBeginCaptureToGraph, which captures into
// `graph`, a graph that the program owns.
cudaError_t begin(cudaStream_t stream, std::unique_ptr<CUgraph_st> own, CUgraph_st* graph,
                  std::vector<cudaGraphNode_t> last) {
  // The legacy stream cannot be captured.
  if (stream == nullptr || stream == cudaStreamLegacy) return remember(cudaErrorStreamCaptureUnsupported);
  if (StreamCapture::instance().is_active(stream)) return remember(cudaErrorIllegalState);
  const cudaError_t error = cudaStreamQuery(stream);
  if (error != cudaSuccess && error != cudaErrorNotReady) return error;
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  auto capture = std::make_shared<Capture>();
  capture->own = std::move(own);
  capture->graph = graph;
  capture->last = std::move(last);
  capture->origin = stream;
  capture->number = ++all.begun;
  all.streams[stream] = std::move(capture);
  ++all.count;
  return cudaSuccess;
}

bool are_of(const CUgraph_st* graph, const cudaGraphNode_t* nodes, std::size_t count) {
  return count == 0 || (nodes != nullptr && std::all_of(nodes, nodes + count, [&](cudaGraphNode_t node) {
                          return node != nullptr && node->graph == graph;
                        }));
}

}  // namespace

namespace {

class GraphCapture : public StreamCapture {
 public:
  [[nodiscard]] bool is_active() const override { return captures().count.load() != 0; }
  [[nodiscard]] bool is_active(cudaStream_t stream) const override { return capture_of(stream) != nullptr; }

  bool work(cudaStream_t stream, cudaGraphNodeType type, const GraphWork& work) override {
    const auto capture = capture_of(stream);
    if (!capture) return false;
    const std::lock_guard lock(captures().mutex);
    follow_last(*capture, add_node(*capture->graph, type, work));
    return true;
  }

  bool launch(const cudaKernelNodeParams& launch, cudaStream_t stream, bool cooperative) override {
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
    follow_last(*capture, node);
    return true;
  }

  bool allocation(void** pointer, std::size_t bytes, cudaStream_t stream, cudaError_t& error) override {
    if (!is_active(stream)) return false;
    GraphWork kept;
    error = pointer == nullptr ? remember(cudaErrorInvalidValue) : allocate_for_graph(pointer, bytes, kept);
    if (error == cudaSuccess) work(stream, cudaGraphNodeTypeMemAlloc, kept);
    return true;
  }

  bool freeing(void* pointer, cudaStream_t stream) override {
    return is_active(stream) && work(stream, cudaGraphNodeTypeMemFree, warpmark::simulator::freeing(pointer));
  }

  bool record(cudaEvent_t event, cudaStream_t stream) override {
    const auto capture = capture_of(stream);
    if (!capture) return false;
    const std::lock_guard lock(captures().mutex);
    captures().events[event] = capture;
    captures().any_event = true;
    return true;
  }

  bool wait(cudaStream_t stream, cudaEvent_t event) override {
    Captures& all = captures();
    if (all.count.load() == 0 || !all.any_event.load()) return false;
    const std::lock_guard lock(all.mutex);
    const auto found = all.events.find(event);
    const auto capture = found == all.events.end() ? nullptr : found->second.lock();
    if (!capture) return false;
    all.streams[stream] = capture;
    return true;
  }

  bool invalidates(cudaStream_t stream) override {
    const auto capture = capture_of(stream);
    if (capture) capture->invalid = true;
    return capture != nullptr;
  }

  bool owns_freed(void* pointer) override { return warpmark::simulator::owns_freed(pointer); }
};

const bool kReplaced = [] {
  static GraphCapture capture;
  StreamCapture::replace(capture);
  return true;
}();

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
  auto made = std::make_unique<CUgraph_st>();
  CUgraph_st* const graph = made.get();
  return begin(stream, std::move(made), graph, {});
}

cudaError_t __cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                            const cudaGraphNode_t* after, size_t count) {
  if (graph == nullptr || !are_of(graph, after, count)) return remember(cudaErrorInvalidValue);
  return begin(stream, nullptr, graph,
               count == 0 ? std::vector<cudaGraphNode_t>() : std::vector(after, after + count));
}

cudaError_t __cudaStreamCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                    unsigned long long* number, cudaGraph_t* graph,
                                    const cudaGraphNode_t** last, size_t* count) {
  if (const cudaError_t error = cudaStreamIsCapturing(stream, status); error != cudaSuccess) return error;
  const auto capture = capture_of(stream);
  if (!capture || capture->invalid) return cudaSuccess;
  const std::lock_guard lock(captures().mutex);
  if (number != nullptr) *number = capture->number;
  if (graph != nullptr) *graph = capture->graph;
  if (last != nullptr) *last = capture->last.data();
  if (count != nullptr) *count = capture->last.size();
  return cudaSuccess;
}

cudaError_t __cudaStreamUpdateCapture(cudaStream_t stream, const cudaGraphNode_t* last, size_t count,
                                      unsigned int flags) {
  const auto capture = capture_of(stream);
  if (!capture) return remember(cudaErrorIllegalState);
  if (flags > cudaStreamSetCaptureDependencies || !are_of(capture->graph, last, count))
    return remember(cudaErrorInvalidValue);
  const std::vector<cudaGraphNode_t> more(last, last + count);
  const std::lock_guard lock(captures().mutex);
  if (flags == cudaStreamSetCaptureDependencies) capture->last.clear();
  capture->last.insert(capture->last.end(), more.begin(), more.end());
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  const auto capture = capture_of(stream);
  if (graph == nullptr && (!capture || capture->own)) return remember(cudaErrorInvalidValue);
  if (graph != nullptr) *graph = nullptr;
  if (!capture) return remember(cudaErrorIllegalState);
  if (capture->origin != stream) return remember(cudaErrorStreamCaptureUnmatched);
  Captures& all = captures();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.streams, [&](const auto& each) { return each.second == capture; });
  --all.count;
  if (capture->invalid) return remember(cudaErrorStreamCaptureInvalidated);
  if (graph != nullptr) *graph = capture->graph;
  static_cast<void>(capture->own.release());
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (status == nullptr) return remember(cudaErrorInvalidValue);
  const auto capture = capture_of(stream);
  *status = !capture           ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
