// Finds work that a graded version enqueues on a stream other than the one it was given, without making the
// given stream wait for it: it is unordered with what the caller enqueues next.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <cuda_runtime_api.h>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/device/runtime/observation_recorder.h"

namespace warpmark::simulator {

class StreamUse {
 public:
  // From now on until tell(), all work is expected on this stream.
  void begin(cudaStream_t given);

  // The given stream belongs to device 0. Work on another device is never on the given stream, so something
  // must wait for it.
  void on_device(int device) { device_ = device; }

  [[nodiscard]] bool is_elsewhere(cudaStream_t stream) const {
    return on_ && (stream != given_ || device_ != 0);
  }
  // The current runtime function enqueues `what` on the stream; `right` is the corresponding call on the
  // given stream. kernel: the kernel for a launch, else empty.
  void queued(cudaStream_t stream, std::string_view what, std::string_view right,
              std::string_view kernel = {});
  // Something waits for the stream's work, or records an event after it that others can wait for.
  void joined(cudaStream_t stream);
  void joined_all();

  // Reports one finding per call site whose work nothing waits for. Device 0's default stream is always
  // reported.
  void tell(ObservationRecorder& recorder);

 private:
  struct Stray {
    int device = 0;
    std::string kernel;
    std::string message;
    CallSite site;
  };
  // True if waiting for this stream of the current device orders the work.
  [[nodiscard]] bool can_be_joined(cudaStream_t stream) const;

  bool on_ = false;
  int device_ = 0;
  cudaStream_t given_ = nullptr;
  std::multimap<cudaStream_t, Stray> strays_;
};

}  // namespace warpmark::simulator
