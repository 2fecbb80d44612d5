// Stream capture, as the runtime's functions see it: what a stream that is being captured is asked to do
// becomes a node of a graph instead. Graphs are in harness/simulator/further/graphs; a build without them
// captures nothing.
#pragma once

#include <cstddef>
#include <functional>

#include <warpmark_cuda/host/host_runtime.h>
#include <warpmark_cuda/types/graph_types.h>

namespace warpmark::simulator {

// Issues a node's call on a stream.
using GraphWork = std::function<cudaError_t(cudaStream_t)>;

class StreamCapture {
 public:
  StreamCapture() = default;
  StreamCapture(const StreamCapture&) = delete;
  StreamCapture& operator=(const StreamCapture&) = delete;
  virtual ~StreamCapture() = default;

  // True if any stream is capturing.
  [[nodiscard]] virtual bool is_active() const { return false; }
  [[nodiscard]] virtual bool is_active(cudaStream_t /*stream*/) const { return false; }
  // Each of these returns true if the stream is capturing: the call became a node, and must not be made now.
  virtual bool work(cudaStream_t /*stream*/, cudaGraphNodeType /*type*/, const GraphWork& /*work*/) {
    return false;
  }
  // The node's parameters can be changed later.
  virtual bool launch(const cudaKernelNodeParams& /*launch*/, cudaStream_t /*stream*/, bool /*cooperative*/) {
    return false;
  }
  // error: what cudaMallocAsync returns if the allocation was captured.
  virtual bool allocation(void** /*pointer*/, std::size_t /*bytes*/, cudaStream_t /*stream*/,
                          cudaError_t& /*error*/) {
    return false;
  }
  virtual bool freeing(void* /*pointer*/, cudaStream_t /*stream*/) { return false; }
  // An event that is recorded on a capturing stream makes the streams that wait for it join the capture.
  virtual bool record(cudaEvent_t /*event*/, cudaStream_t /*stream*/) { return false; }
  virtual bool wait(cudaStream_t /*stream*/, cudaEvent_t /*event*/) { return false; }
  // Something that cannot be captured: the stream's capture becomes invalid, and the call fails with
  // cudaErrorStreamCaptureUnsupported.
  virtual bool invalidates(cudaStream_t /*stream*/) { return false; }

  // Returns true if a live graph owns the allocation. It is then only marked as freed by the program: it
  // stays mapped, because the graph's next launch uses the same address again.
  virtual bool owns_freed(void* /*pointer*/) { return false; }

  // The process's capture. Replaced once, before main(), by a build that has graphs.
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
