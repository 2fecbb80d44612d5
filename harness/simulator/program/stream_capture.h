// Interface of stream capture to the runtime functions: an operation on a stream that is being captured
// becomes a graph node instead of being executed. Implemented in harness/simulator/further/graphs; a build
// without graphs captures nothing.
#pragma once

#include <cstddef>
#include <functional>

#include <warpmark_cuda/host/host_runtime.h>
#include <warpmark_cuda/types/graph_types.h>

namespace warpmark::simulator {

// A CUDA call captured as a graph node: a function that repeats the call on the given stream.
using GraphWork = std::function<cudaError_t(cudaStream_t)>;

class StreamCapture {
 public:
  StreamCapture() = default;
  StreamCapture(const StreamCapture&) = delete;
  StreamCapture& operator=(const StreamCapture&) = delete;
  virtual ~StreamCapture() = default;

  // True if any stream, or the given stream, is being captured.
  [[nodiscard]] virtual bool is_active() const { return false; }
  [[nodiscard]] virtual bool is_active(cudaStream_t /*stream*/) const { return false; }
  // Stream capture hooks, from work() to wait(), one per kind of CUDA call. A hook returns true if the stream
  // is being captured: the call has become a graph node and must not be executed now.
  virtual bool work(cudaStream_t /*stream*/, cudaGraphNodeType /*type*/, const GraphWork& /*work*/) {
    return false;
  }
  // Captures a kernel launch. The node's parameters can be changed later.
  virtual bool launch(const cudaKernelNodeParams& /*launch*/, cudaStream_t /*stream*/, bool /*cooperative*/) {
    return false;
  }
  // Captures cudaMallocAsync in a CUDA graph. If the call was captured, `error` receives the value that
  // cudaMallocAsync must return.
  virtual bool allocation(void** /*pointer*/, std::size_t /*bytes*/, cudaStream_t /*stream*/,
                          cudaError_t& /*error*/) {
    return false;
  }
  virtual bool freeing(void* /*pointer*/, cudaStream_t /*stream*/) { return false; }
  // Captures event operations: a stream that waits for an event recorded on a captured stream joins the
  // capture.
  virtual bool record(cudaEvent_t /*event*/, cudaStream_t /*stream*/) { return false; }
  virtual bool wait(cudaStream_t /*stream*/, cudaEvent_t /*event*/) { return false; }
  // Returns true for an operation that cannot be captured: invalidates the stream's capture, and the call
  // must fail with cudaErrorStreamCaptureUnsupported.
  virtual bool invalidates(cudaStream_t /*stream*/) { return false; }

  // Returns true if a live graph owns the allocation. A free by the program then only marks it as freed: it
  // stays mapped, because the graph's next launch uses the same address again.
  virtual bool owns_freed(void* /*pointer*/) { return false; }

  // Returns the process-wide StreamCapture. replace() is called at most once, before main(), by a build that
  // contains graphs.
  static StreamCapture& instance() { return *current(); }
  static void replace(StreamCapture& other) { current() = &other; }

 private:
  static StreamCapture*& current() {
    static StreamCapture none;
    static StreamCapture* chosen = &none;
    return chosen;
  }
};

}  // namespace warpmark::simulator
