// Streams whose work becomes a graph.
#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include <warpmark_cuda/graphs.h>

#include "harness/simulator/client/forward.h"
#include "harness/simulator/client/graph_nodes.h"

using namespace warpmark::simulator;

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

// Captured work is done in the order in which it was queued, which keeps the order of each stream and event.
void follow_last(CUgraphNode_st& node) {
  if (node.number > 0) node.after.insert(node.number - 1);
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
  const cudaError_t error = cudaStreamQuery(stream);
  if (error != cudaSuccess && error != cudaErrorNotReady) return error;
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
  if (graph == nullptr) return remember(cudaErrorInvalidValue);
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
  if (status == nullptr) return remember(cudaErrorInvalidValue);
  const auto capture = capture_of(stream);
  *status = !capture           ? cudaStreamCaptureStatusNone
            : capture->invalid ? cudaStreamCaptureStatusInvalidated
                               : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
